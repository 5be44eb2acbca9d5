/** Code that tests deploy, and conversations with it. */
import { expect } from 'vitest';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { CodeOwner, Running } from '#shared/storage/dynamodb/code/deployments.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { eventually, newUser, type TestBot } from './platform.ts';

export const SHOWS_KEY = 'exports.handler = async () => ({ body: process.env.BP_TOKEN });';

/**
 * Returns code that replies to each message through the public API.
 * @param text a JavaScript expression, in which `message` is the message
 * @param apiUrl a JavaScript expression
 */
export const replyingWith = (text: string, apiUrl = 'process.env.BP_API_URL'): string => `
  exports.handler = async ({ headers, body }) => {
    if (headers['x-bp-operation'] !== 'event_received') return {};
    const { conversation, message } = JSON.parse(body).event.payload;
    const answer = await fetch(${apiUrl} + '/v1/chat/messages', {
      method: 'POST',
      headers: {
        authorization: 'Bearer ' + process.env.BP_TOKEN,
        'x-bot-id': process.env.BP_BOT_ID,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        conversationId: conversation.id, userId: process.env.BP_BOT_ID, type: 'text', tags: {},
        payload: { text: ${text} },
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return { status: 200 };
  };`;

/** Starts a conversation of a new user. `texts` returns all its messages, oldest first. */
export async function talkTo(bot: TestBot) {
  const { client } = await newUser({ chatUrl: bot.chatUrl });
  const { conversation } = await client.createConversation({});
  return {
    say: (text: string) => client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } }),
    texts: async () => {
      const texts: string[] = [];
      let nextToken: string | undefined;
      do {
        const page = await client.listMessages({ conversationId: conversation.id, nextToken });
        texts.push(...page.messages.map(({ payload }) => (payload as { text: string }).text));
        nextToken = page.meta.nextToken;
      } while (nextToken);
      return texts.reverse();
    },
  };
}

const findDeployed = ({ kind, id }: CodeOwner) => (kind === 'bot' ? findBot(id) : findIntegration(id));

/** Waits until the latest deployment has ended. Returns the deployment that takes calls. */
export const afterRollout = (owner: CodeOwner): Promise<Running | undefined> =>
  eventually(async () => {
    const { rollout, running } = (await findDeployed(owner))!;
    expect(rollout?.failure !== undefined || rollout?.revision === running?.revision).toBe(true);
    return running;
  });

/** Returns the key of code like {@link SHOWS_KEY}, after its latest deployment. */
export async function keyOf(owner: CodeOwner): Promise<string> {
  const running = await afterRollout(owner);
  const outcome = await callCode(owner, running!, { headers: {}, body: '' });
  if (outcome.kind !== 'answered') throw new Error(`The code was not called: ${JSON.stringify(outcome)}`);
  return outcome.text;
}
