/** What a list shows of the conversation of a handoff, read in batches for a page. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { timelineId } from '#shared/core/ids.ts';
import { contentOf } from '#shared/domain/messaging/botViews/messageView.ts';
import { type Conversation, findConversations } from '#shared/storage/dynamodb/chat/conversations.ts';
import { createdAtMs, type Entry, isOfEndUser } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { isParticipant, listParticipants } from '#shared/storage/dynamodb/chat/participants.ts';
import { findEntries, listMessages } from '#shared/storage/dynamodb/chat/timeline.ts';
import { findUsers, nameOfUser, type User } from '#shared/storage/dynamodb/chat/users.ts';

export const HandoffPreview = z.object({
  user: z.optional(z.object({ id: z.string(), name: z.optional(z.string()), pictureUrl: z.optional(z.string()) })),
  lastMessage: z.optional(
    z.object({
      id: z.string(),
      createdAt: dateTime(),
      author: z.enum(['user', 'bot', 'member']),
      userId: z.string(),
      type: z.string(),
      text: z.optional(z.string()),
    }),
  ),
  labelIds: z.optional(z.array(z.string())),
});
type Preview = z.infer<typeof HandoffPreview>;

const EXCERPT_CHARACTERS = 200;
const CONCURRENT_QUERIES = 10;

/** In order. Undefined for a conversation that was deleted. */
export async function findPreviews(botId: string, handoffs: readonly Handoff[]): Promise<(Preview | undefined)[]> {
  const found = await findConversations(
    botId,
    handoffs.map(({ conversationId }) => conversationId),
  );
  const conversations = found.map((each, i) =>
    each?.generation === (handoffs[i]!.generation ?? 0) ? each : undefined,
  );
  const byId = await previewsOf(
    botId,
    conversations.filter(each => each !== undefined),
  );
  return conversations.map(each => each && byId.get(each.id));
}

export async function previewsOf(botId: string, existing: readonly Conversation[]): Promise<Map<string, Preview>> {
  const [messages, users] = await Promise.all([lastMessages(botId, existing), lastUsers(botId, existing)]);
  const previews = await Promise.all(
    existing.map(async ({ id, isHitlSession, labelIds }): Promise<[string, Preview]> => {
      const [message, user] = [messages.get(id), users.get(id)];
      return [
        id,
        {
          ...(user ? { user: { id: user.id, name: nameOfUser(user), pictureUrl: user.pictureUrl } } : {}),
          ...(message ? { lastMessage: await viewLast(botId, id, message, isHitlSession) } : {}),
          labelIds,
        },
      ];
    }),
  );
  return new Map(previews);
}

async function viewLast(
  botId: string,
  conversationId: string,
  entry: Entry,
  isHitlSession = false,
): Promise<NonNullable<Preview['lastMessage']>> {
  const { userId } = entry;
  return {
    id: timelineId('msg', conversationId, entry.position),
    createdAt: iso(createdAtMs(entry)),
    author: kindOfAuthor(botId, entry, isHitlSession),
    userId,
    ...(await excerptOf(entry)),
  };
}

export const kindOfAuthor = (botId: string, entry: Entry, isHitlSession = false) =>
  entry.userId === botId ? 'bot' : isOfEndUser(botId, entry, isHitlSession) ? 'user' : 'member';

async function excerptOf(entry: Entry): Promise<{ type: string; text?: string }> {
  const { type, texts } = await textsOf(entry);
  return { type, ...(texts[0] === undefined ? {} : { text: startOf(texts[0], EXCERPT_CHARACTERS) }) };
}

/** Returns the type and the texts of a message. A payload in the object store is not read. */
export async function textsOf(entry: Entry): Promise<{ type: string; texts: string[] }> {
  if (entry.payload?.o !== undefined) return { type: entry.type ?? 'text', texts: [] };
  const { type, payload } = await contentOf(entry);
  const items: Record<string, unknown>[] = type === 'bloc' && Array.isArray(payload.items) ? payload.items : [];
  const texts = [payload, ...items.map(item => (item?.payload as typeof item) ?? item)]
    .flatMap(each => [each?.text, each?.markdown, each?.title])
    .filter((each): each is string => typeof each === 'string' && each !== '');
  return { type, texts };
}

/** Queries only conversations whose last message was deleted, or was counted by an earlier release. */
async function lastMessages(botId: string, conversations: readonly Conversation[]): Promise<Map<string, Entry>> {
  const placed = conversations.flatMap(({ id, lastPosition }) =>
    lastPosition === undefined ? [] : [{ conversationId: id, position: lastPosition }],
  );
  const entries = await findEntries(botId, placed);
  const byId = new Map(placed.map(({ conversationId }, i) => [conversationId, entries[i]]));
  const messages = await mapConcurrently(
    conversations,
    CONCURRENT_QUERIES,
    async ({ id, generation, messageCount }) => {
      const entry = byId.get(id);
      if (entry?.kind === 'message' && entry.generation === generation) return entry;
      if (messageCount <= 0) return undefined;
      const page = await listMessages(botId, id, { limit: 1, generation: async () => generation });
      return page.entries[0];
    },
  );
  return asMap(conversations, messages);
}

/** Queries only conversations in which no user has written. */
async function lastUsers(botId: string, conversations: readonly Conversation[]): Promise<Map<string, User>> {
  const known = conversations.flatMap(({ lastUserId }) => lastUserId ?? []);
  const found = new Map((await findUsers(botId, known)).flatMap(user => (user ? [[user.id, user]] : [])));
  const users = await mapConcurrently(conversations, CONCURRENT_QUERIES, async conversation =>
    conversation.lastUserId === undefined ? firstParticipant(botId, conversation) : found.get(conversation.lastUserId),
  );
  return asMap(conversations, users);
}

const PARTICIPANTS = 10;

async function firstParticipant(botId: string, conversation: Conversation): Promise<User | undefined> {
  const participants = await listParticipants(botId, conversation.id, { limit: PARTICIPANTS });
  const others = participants.filter(({ userId }) => userId !== botId);
  const users = await findUsers(
    botId,
    others.map(({ userId }) => userId),
  );
  return users.find(
    (user, i) => user && user.memberAccountId === undefined && isParticipant(others[i], conversation, user),
  );
}

const asMap = <Value>(conversations: readonly Conversation[], values: readonly (Value | undefined)[]) =>
  new Map(conversations.flatMap(({ id }, i) => (values[i] === undefined ? [] : [[id, values[i]] as const])));
