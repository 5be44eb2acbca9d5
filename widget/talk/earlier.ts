/** Earlier conversations of the visitor. */
import type { ChatApi } from './chatApi.ts';
import type { Message } from './chatContract.ts';

/** Conversations whose last message is read. */
const MAX_LISTED = 10;

export interface Earlier {
  id: string;
  lastMessage: Message;
}

/** Lists the latest conversations with a message, newest first, without the current one. @throws ChatFault */
export async function listEarlier(api: ChatApi, currentId: string | undefined): Promise<Earlier[]> {
  const { conversations } = await api.listConversations();
  const others = conversations.filter(({ id }) => id !== currentId).slice(0, MAX_LISTED);
  const read = await Promise.all(
    others.map(async ({ id }) => ({ id, lastMessage: (await api.listMessages(id)).messages[0] })),
  );
  return read.flatMap(({ id, lastMessage }) => (lastMessage ? [{ id, lastMessage }] : []));
}

/** Reads a page of messages, oldest first. @throws ChatFault */
export async function readEarlier(
  api: ChatApi,
  conversationId: string,
  before: string | undefined,
): Promise<{ messages: Message[]; next: string | undefined }> {
  const { messages, meta } = await api.listMessages(conversationId, before);
  return { messages: messages.toReversed(), next: meta.nextToken };
}
