import * as z from 'zod/mini';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { isUserId } from '#shared/core/ids.ts';
import { listUserConversations } from '#shared/storage/dynamodb/chat/userConversations.ts';
import { nameOfUser } from '#shared/storage/dynamodb/chat/users.ts';
import type { Found } from './searchUsers.ts';
import { type ConversationOfBot, FoundConversation, viewFound } from './searchViews.ts';

export const Customer = z.object({
  botId: z.string(),
  user: z.optional(z.object({ id: z.string(), name: z.optional(z.string()), pictureUrl: z.optional(z.string()) })),
  matches: z.array(
    z.object({
      field: z.enum(['name', 'email', 'contact', 'tag', 'attribute', 'id']),
      key: z.optional(z.string()),
      value: z.string(),
    }),
  ),
  conversations: z.array(FoundConversation),
});

/** Conversations per user, among the latest ones of the user. */
const CONVERSATIONS = 3;
/** Conversations of a user who was found by id. */
const CONVERSATIONS_BY_ID = 20;
const SORTED = 25;
const CONCURRENT_USERS = 10;

/** Adds the latest conversations of each user, and sorts the page by activity, newest first. */
export async function viewCustomers(found: readonly Found[], query: string): Promise<z.infer<typeof Customer>[]> {
  const limit = isUserId(query.trim()) ? CONVERSATIONS_BY_ID : CONVERSATIONS;
  const own = await mapConcurrently(
    found,
    CONCURRENT_USERS,
    async ({ botId, user, conversation }): Promise<ConversationOfBot[]> => {
      if (conversation) return [{ botId, conversation }];
      const { records } = await listUserConversations(botId, user!.id, { limit, sorted: SORTED });
      return records.map(each => ({ botId, conversation: each.conversation }));
    },
  );
  const views = await viewFound(own.flat());
  return found
    .map(({ botId, user, conversation, matches }, i) => {
      const start = own.slice(0, i).reduce((sum, { length }) => sum + length, 0);
      const conversations = views.slice(start, start + own[i]!.length);
      const shown = user
        ? { id: user.id, name: nameOfUser(user), pictureUrl: user.pictureUrl }
        : conversations[0]?.preview?.user;
      const activeAtMs = own[i]![0]?.conversation.updatedAtMs ?? user?.updatedAtMs ?? conversation!.updatedAtMs;
      return { activeAtMs, view: { botId, ...(shown ? { user: shown } : {}), matches, conversations } };
    })
    .sort((one, other) => other.activeAtMs - one.activeAtMs)
    .map(({ view }) => view);
}
