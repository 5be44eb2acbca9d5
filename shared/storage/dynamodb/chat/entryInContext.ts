import { isUserId } from '#shared/core/ids.ts';
import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { botUserKey, conversationKey, timelineKey, userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { type BotUser, parseBotUser } from './botUser.ts';
import { type Conversation, parseConversation } from './conversations.ts';
import { type Entry, parseEntry } from './entry.ts';
import { parseUser, type User } from './users.ts';

/** Reads an entry with its conversation and author. The bot as the author is returned as `botUser`. */
export async function findEntryInContext(
  botId: string,
  conversationId: string,
  position: string,
  userId: string | undefined,
): Promise<{
  entry?: Entry | undefined;
  conversation?: Conversation | undefined;
  user?: User | undefined;
  botUser?: BotUser;
}> {
  const [entry, conversation, user] = await readItems([
    timelineKey(botId, conversationId, position),
    conversationKey(botId, conversationId),
    ...(userId === botId
      ? [botUserKey(botId)]
      : userId !== undefined && isUserId(userId)
        ? [userKey(botId, userId)]
        : []),
  ]);
  const context = { entry: entry && parseEntry(entry), conversation: parseConversation(conversation) };
  return userId === botId ? { ...context, botUser: parseBotUser(user) } : { ...context, user: parseUser(user) };
}
