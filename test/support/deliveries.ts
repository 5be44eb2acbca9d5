/** Creates bots whose endpoints respond to messages with a status, and advances the clock for their retries. */
import { clock } from '#shared/core/clock.ts';
import { startEndpoint, type TestEndpoint } from './endpoint.ts';
import { newBot, newUser, settled, type TestBot } from './platform.ts';

export const SECOND_MS = 1_000;

/**
 * Creates a bot whose endpoint responds to each message with the status for its text.
 * @param configuration of its chat
 */
export async function newAnsweringBot(
  statusOf: (text: string) => number,
  configuration?: { payloadExtensions: boolean },
) {
  const bot = await newBot();
  const endpoint = await startEndpoint(({ operation, body }, response) => {
    const text = operation === 'event_received' ? body.event.payload.message.payload.text : '';
    response.writeHead(text ? statusOf(text) : 200).end('{"message":"this is bad"}');
  });
  const integrations = configuration && { chat: { enabled: true, configuration } };
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url, integrations });
  await settled();
  return { bot, endpoint };
}

export async function talk(bot: TestBot) {
  const { client } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const say = (text: string) =>
    client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
  return { client, conversationId: conversation.id, say };
}

/** Returns the texts that an endpoint received, including repetitions. */
export const textsOf = ({ events }: TestEndpoint, conversationId?: string): string[] =>
  events()
    .filter(event => conversationId === undefined || event.conversationId === conversationId)
    .map(({ payload }) => payload.message.payload.text);

export const withoutRepetitions = (texts: string[]) => texts.filter((text, i) => text !== texts[i - 1]);

/** Advances the clock in steps, each after the work of the previous step. */
export async function pass(ms: number, stepMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    clock.advance(stepMs);
    await settled();
  }
}

export const eventsOf = async ({ client }: TestBot, status: 'failed' | 'pending' | 'processed') =>
  (await client.listEvents({ status, pageSize: 100 })).events;
