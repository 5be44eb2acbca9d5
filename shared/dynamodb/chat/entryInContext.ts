/** A timeline entry together with its conversation and user, in one read. */
import { conversationKey, timelineKey, userKey } from '#shared/dynamodb/keys/chat.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import { isUserId } from '#shared/ids.ts';
import { type Conversation, parseConversation } from './conversations.ts';
import { type Entry, parseEntry } from './entry.ts';
import { parseUser, type User } from './users.ts';

/** @returns each of the three that exists */
export async function findEntryInContext(
  botId: string,
  conversationId: string,
  position: string,
  userId: string | undefined,
): Promise<{ entry?: Entry | undefined; conversation?: Conversation | undefined; user?: User | undefined }> {
  const [entry, conversation, user] = await readItems([
    timelineKey(botId, conversationId, position),
    conversationKey(botId, conversationId),
    // The bot itself may have caused an event, and is no user.
    ...(userId !== undefined && isUserId(userId) ? [userKey(botId, userId)] : []),
  ]);
  return { entry: entry && parseEntry(entry), conversation: parseConversation(conversation), user: parseUser(user) };
}
