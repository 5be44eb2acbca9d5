/**
 * The conversations of a user, newest activity first. The order is made when they are read: a message would otherwise
 * cost a write for each participant. It takes the conversations that were created last; earlier ones follow by
 * creation.
 */
import { conversationKey, participantKey, userConversationsPk } from '#shared/storage/dynamodb/keys/chat.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { END, indexKeys, type Listed } from '#shared/storage/dynamodb/lists.ts';
import { readItems } from '#shared/storage/dynamodb/query.ts';
import { type Conversation, conversationSortKey, parseConversation } from './conversations.ts';
import { Participant } from './participants.ts';

/** So many are sorted by activity. A page reads them all: 5 calls for each hundred. */
const SORTED_CONVERSATIONS = 500;

export interface UserConversation {
  participant: Participant;
  conversation: Conversation;
}

/** Where a page ended: among those sorted by activity, or among the earlier ones, by its sort key there. */
export type PagePosition = { among: 'active' | 'earlier'; sortKey: string };

/**
 * A page of the conversations that a user takes part in.
 * @returns `next` unless the list ends here
 */
export async function listUserConversations(
  botId: string,
  userId: string,
  { after, limit }: { after?: PagePosition | undefined; limit: number },
): Promise<{ records: UserConversation[]; next?: PagePosition }> {
  const keys = indexKeys('gsi2', userConversationsPk(botId, userId), {
    direction: 'desc',
    first: '',
    last: END,
    after: after?.among === 'earlier' ? after.sortKey : undefined,
  });
  if (after?.among === 'earlier') return earlierPage(botId, userId, keys, limit);

  const latest = await take(keys, SORTED_CONVERSATIONS);
  const sorted = (await readAll(botId, userId, latest))
    .map(({ record }) => ({ record, sortKey: conversationSortKey(record.conversation, 'updatedAt') }))
    .sort((one, other) => (one.sortKey < other.sortKey ? 1 : -1))
    .filter(({ sortKey }) => after === undefined || sortKey < after.sortKey);
  const page = sorted.slice(0, limit);
  const records = page.map(({ record }) => record);
  if (sorted.length > limit) return { records, next: { among: 'active', sortKey: page.at(-1)!.sortKey } };
  const isAll = latest.length < SORTED_CONVERSATIONS;
  return { records, ...(isAll ? {} : { next: { among: 'earlier', sortKey: latest.at(-1)!.sortKey } }) };
}

async function earlierPage(botId: string, userId: string, keys: AsyncGenerator<Listed>, limit: number) {
  // One more tells whether another page follows.
  const found = await take(keys, limit + 1);
  const page = await readAll(botId, userId, found.slice(0, limit));
  return {
    records: page.map(({ record }) => record),
    ...(found.length > limit ? { next: { among: 'earlier' as const, sortKey: found[limit - 1]!.sortKey } } : {}),
  };
}

async function take(list: AsyncGenerator<Listed>, count: number): Promise<Listed[]> {
  const taken: Listed[] = [];
  for await (const listed of list) {
    taken.push(listed);
    if (taken.length === count) break;
  }
  return taken;
}

/** Both records of each; none for a conversation that is gone, or that the user no longer takes part in. */
async function readAll(botId: string, userId: string, listed: readonly Listed[]) {
  const ids = listed.map(({ item }) => splitPk(item.pk).id);
  const items = await readItems([
    ...ids.map(id => conversationKey(botId, id)),
    ...ids.map(id => participantKey(botId, id, userId)),
  ]);
  return listed.flatMap(({ sortKey }, i) => {
    const [conversation, item] = [parseConversation(items[i]), items[ids.length + i]];
    const participant = item && Participant.parse(item);
    if (!conversation || participant?.generation !== conversation.generation) return [];
    return [{ sortKey, record: { participant, conversation } }];
  });
}

/** A user's part in a conversation and the conversation, in one call. */
export async function findUserConversation(
  botId: string,
  conversationId: string,
  userId: string,
): Promise<UserConversation | undefined> {
  const keys = [conversationKey(botId, conversationId), participantKey(botId, conversationId, userId)];
  const [item, part] = await readItems(keys);
  const conversation = parseConversation(item);
  const participant = part && Participant.parse(part);
  return conversation && participant ? { conversation, participant } : undefined;
}
