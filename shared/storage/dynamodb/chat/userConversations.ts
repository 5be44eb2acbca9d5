/**
 * Sorted on read, because a message would otherwise cost a write per participant. Older conversations follow, sorted by
 * creation.
 */

import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationKey, participantKey, userConversationsPk } from '#shared/storage/dynamodb/keys/chat.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { END, indexKeys, type Listed } from '#shared/storage/dynamodb/lists/lists.ts';
import { type Conversation, conversationSortKey, parseConversation } from './conversations.ts';
import { Participant } from './participants.ts';

/** Number of sorted conversations. A page reads all of them, in 5 calls per hundred. */
const SORTED_CONVERSATIONS = 500;

export interface UserConversation {
  participant: Participant;
  conversation: Conversation;
}

export type PagePosition = { among: 'active' | 'earlier'; sortKey: string };

export async function listUserConversations(
  botId: string,
  userId: string,
  {
    after,
    limit,
    sorted: most = SORTED_CONVERSATIONS,
  }: { after?: PagePosition | undefined; limit: number; sorted?: number },
): Promise<{ records: UserConversation[]; next?: PagePosition }> {
  const keys = indexKeys('gsi2', userConversationsPk(botId, userId), {
    direction: 'desc',
    first: '',
    last: END,
    after: after?.among === 'earlier' ? after.sortKey : undefined,
  });
  if (after?.among === 'earlier') return earlierPage(botId, userId, keys, limit);

  const latest = await take(keys, most);
  const sorted = (await readAll(botId, userId, latest))
    .map(({ record }) => ({ record, sortKey: conversationSortKey(record.conversation, 'updatedAt') }))
    .sort((one, other) => (one.sortKey < other.sortKey ? 1 : -1))
    .filter(({ sortKey }) => after === undefined || sortKey < after.sortKey);
  const page = sorted.slice(0, limit);
  const records = page.map(({ record }) => record);
  if (sorted.length > limit) return { records, next: { among: 'active', sortKey: page.at(-1)!.sortKey } };
  const isAll = latest.length < most;
  return { records, ...(isAll ? {} : { next: { among: 'earlier', sortKey: latest.at(-1)!.sortKey } }) };
}

async function earlierPage(botId: string, userId: string, keys: AsyncGenerator<Listed>, limit: number) {
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
