/** Handoffs of a bot's conversations, which the official client does not know. */
import { type AdminClient, call, newUser, type RawAnswer, type TestBot } from './platform.ts';

/** Sends a request to the botChat group with the token and headers of an official client. */
export const callChat = ({ config }: AdminClient, method: string, path: string, body?: unknown): Promise<RawAnswer> =>
  call(`${config.apiUrl}/v1/chat${path}`, { method, headers: config.headers as Record<string, string>, body });

interface Body {
  reason?: string;
  accountId?: string | null;
  servedBy?: string;
}

/** The operations on handoffs, as a caller with a token; as the bot without one. */
export const handoffsOf = (bot: TestBot, token: string = bot.tokens.bot) => ({
  start: (conversationId: string, body: Body = {}) =>
    bot.call('POST', '/handoffs', { token, body: { conversationId, ...body } }),
  assign: (id: string, body: Body = {}) => bot.call('POST', `/handoffs/${id}/assign`, { token, body }),
  end: (id: string, body: Body = {}) => bot.call('POST', `/handoffs/${id}/end`, { token, body }),
  get: (id: string) => bot.call('GET', `/handoffs/${id}`, { token }),
  list: (query = '') => bot.call('GET', `/handoffs${query}`, { token }),
});

/** Creates a conversation of the bot. */
export const newConversation = async ({ client }: TestBot): Promise<string> =>
  (await client.createConversation({ channel: 'channel', tags: {} })).conversation.id;

/** Creates a conversation that waits for a member. */
export async function newWaiting(bot: TestBot): Promise<{ conversationId: string; id: string }> {
  const conversationId = await newConversation(bot);
  const { body } = await handoffsOf(bot).start(conversationId);
  return { conversationId, id: body.handoff.id };
}

/** A user of the chat API in a conversation of their own. */
export async function newTalk(bot: TestBot) {
  const { client, user, key } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const say = async (text: string) =>
    (await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } })).message.id;
  return { client, key, userId: user.id, conversationId: conversation.id, say };
}
