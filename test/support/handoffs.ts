/** Sends requests about handoffs, which the official client lacks. */
import { beforeAll } from 'vitest';
import { newPosition, timelineId } from '#shared/core/ids.ts';
import { putNewHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type AdminClient, call, newBot, newUser, type RawAnswer, type TestBot } from './platform.ts';

/** Sends a request to the botChat group with the token and headers of an official client. */
export const callChat = ({ config }: AdminClient, method: string, path: string, body?: unknown): Promise<RawAnswer> =>
  call(`${config.apiUrl}/v1/chat${path}`, { method, headers: config.headers as Record<string, string>, body });

export type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;

/** Sets up a bot with two agents for the tests of a file. The fields are set when the first test starts. */
export function useTeam() {
  const team = {} as { bot: TestBot; ada: Member; bob: Member };
  beforeAll(async () => {
    const bot = await newBot();
    Object.assign(team, { bot, ada: await bot.workspace.join('agent'), bob: await bot.workspace.join('agent') });
  });
  /** Returns the operations on handoffs for a member of the team. */
  const as = ({ token }: Member) => handoffsOf(team.bot, token);
  return { team, as };
}

interface Body {
  reason?: string;
  priority?: string;
  accountId?: string | null;
  servedBy?: string;
  outcome?: string;
}

/** Returns the operations on handoffs, by default for the bot. */
export const handoffsOf = (bot: TestBot, token: string = bot.tokens.bot) => ({
  start: (conversationId: string, body: Body = {}) =>
    bot.call('POST', '/handoffs', { token, body: { conversationId, ...body } }),
  assign: (id: string, body: Body = {}) => bot.call('POST', `/handoffs/${id}/assign`, { token, body }),
  snooze: (id: string, until: string | null, body: Body = {}) =>
    bot.call('POST', `/handoffs/${id}/snooze`, { token, body: { until, ...body } }),
  end: (id: string, body: Body = {}) => bot.call('POST', `/handoffs/${id}/end`, { token, body }),
  get: (id: string) => bot.call('GET', `/handoffs/${id}`, { token }),
  list: (query = '') => bot.call('GET', `/handoffs${query}`, { token }),
  reply: (id: string, text = 'Hello') =>
    bot.call('POST', `/handoffs/${id}/messages`, { token, body: { type: 'text', payload: { text } } }),
});

export const newConversation = async ({ client }: TestBot): Promise<string> =>
  (await client.createConversation({ channel: 'channel', tags: {} })).conversation.id;

/** Creates a conversation that waits for a member. */
export async function newWaiting(bot: TestBot): Promise<{ conversationId: string; id: string }> {
  const conversationId = await newConversation(bot);
  const { body } = await handoffsOf(bot).start(conversationId);
  return { conversationId, id: body.handoff.id };
}

/** Stores a handoff that ended now, also for installations without a bot. */
export async function putClosedHandoff(botId: string, conversationId: string): Promise<string> {
  const position = newPosition();
  const bot = { type: 'bot' as const, id: botId, name: 'Bot' };
  const id = timelineId('handoff', conversationId, position);
  const handoff = {
    id,
    conversationId,
    webhookId: '',
    startedBy: bot,
    endedBy: bot,
    version: 1,
    generation: undefined,
  };
  const end = { status: 'closed' as const, endPosition: position, change: position };
  await write([putNewHandoff(botId, { ...handoff, ...end })]);
  return id;
}

/** Creates a chat user in a new conversation. */
export async function newTalk(bot: TestBot) {
  const { client, user, key } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const say = async (text: string) =>
    (await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } })).message.id;
  const rate = (body: unknown) =>
    call(`${bot.chatUrl}/conversations/${conversation.id}/rating`, { method: 'PUT', key, body });
  return { client, key, userId: user.id, conversationId: conversation.id, say, rate };
}
