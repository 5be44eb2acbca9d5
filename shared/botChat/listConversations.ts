/** Lists of conversations: from whichever list leads to what is wanted most directly, and the rest filtered. */
import type { BotCall } from '#shared/api/platform/operation.ts';
import {
  type Conversation,
  findConversations,
  parseConversation,
  tagsOfConversation,
} from '#shared/dynamodb/chat/conversations.ts';
import { participantKey, userConversationsPk } from '#shared/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import { botList, type Direction, END, indexList, pageOfList, type Range, timeRange } from '#shared/dynamodb/lists.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import { concat, type ListEntry, sortInMemory } from '#shared/dynamodb/sortInMemory.ts';
import { listNarrowest, loadTagged, type Tags } from '#shared/dynamodb/tags.ts';
import { isUserId, resolveConversationId } from '#shared/ids.ts';
import { type CallerScope, canSee, storedNames } from '#shared/messaging/callerScope.ts';
import { hasTags } from '#shared/messaging/getOrCreate.ts';

export interface ConversationFilters {
  sortField?: 'createdAt' | 'updatedAt' | undefined;
  sortDirection?: Direction | undefined;
  tags?: Tags | undefined;
  participantIds?: string[] | undefined;
  integrationName?: string | undefined;
  channel?: string | undefined;
  /** Milliseconds, of the field by which it is sorted. */
  afterDate?: number | undefined;
  beforeDate?: number | undefined;
  minMessageCount?: number | undefined;
  maxMessageCount?: number | undefined;
}

/** Records that are read together. */
const TOGETHER = 25;

/** A page of conversations, newest first unless asked otherwise. */
export async function listConversations(
  call: CallerScope & Pick<BotCall<unknown>, 'pageStart'>,
  filters: ConversationFilters,
  pageSize: number,
): Promise<{ records: Conversation[]; next?: string }> {
  const { sortField = 'createdAt', sortDirection = 'desc', afterDate, beforeDate } = filters;
  const range = { direction: sortDirection, ...timeRange(afterDate, beforeDate), after: call.pageStart };
  return pageOfList(filtered(call, filters, await nearest(call, filters, sortField, range)), pageSize);
}

const placeIn = (field: 'createdAt' | 'updatedAt') => (conversation: Conversation) =>
  timedSk(field === 'createdAt' ? conversation.createdAtMs : conversation.updatedAtMs, conversation.id);

/** The list that leads to what is wanted, in the order that is wanted. */
async function nearest(
  call: CallerScope,
  { tags, participantIds }: ConversationFilters,
  sortField: 'createdAt' | 'updatedAt',
  range: Range,
): Promise<AsyncIterable<ListEntry<Conversation>>> {
  const { botId } = call;
  const stored = storedNames(call, tags ?? {});
  const load = (ids: string[]) => findConversations(botId, ids);
  const userId = participantIds?.[0];
  const listed = (by: Range) =>
    userId !== undefined
      ? conversationsOfUser(botId, userId, by)
      : Object.keys(stored).length > 0
        ? listNarrowest(botId, 'conversation', stored, by)
        : undefined;

  // A user's list and those of tags are in order of creation: a few are sorted here by their update. So are those that a
  // chat user began a moment ago, which are not among the tags' entries yet.
  const began = userId === undefined ? conversationsBegun(call, stored) : undefined;
  if (began || sortField === 'updatedAt') {
    const entries = listed({ direction: range.direction, first: '', last: END });
    const few = entries && (await sortInMemory(concat(began, entries), load, placeIn(sortField), range));
    if (few) return few;
  }
  const entries = sortField === 'createdAt' ? listed(range) : undefined;
  return entries ? loadTagged(entries, load, TOGETHER) : allOf(botId, sortField, range);
}

async function* allOf(botId: string, sortField: 'createdAt' | 'updatedAt', range: Range) {
  const index = sortField === 'createdAt' ? 'gsi1' : 'gsi2';
  for await (const { sortKey, item } of botList(botId, 'conversations', index, range)) {
    yield { sortKey, record: parseConversation(item) };
  }
}

async function* conversationsOfUser(botId: string, userId: string, range: Range) {
  for await (const { sortKey, item } of indexList('gsi2', userConversationsPk(botId, userId), range)) {
    yield { sortKey, id: String(item.conversationId) };
  }
}

/** What the tags that follow from a conversation's beginning in the chat interface say of its id; undefined if nothing. */
function conversationsBegun({ bot, botId }: CallerScope, tags: Tags): AsyncIterable<{ id: string }> | undefined {
  for (const [key, value] of Object.entries(tags)) {
    if (key.endsWith(':fid')) {
      return toAsync(bot.installations.flatMap(({ webhookId }) => resolveConversationId(webhookId, value) ?? []));
    }
    if (key.endsWith(':owner') && isUserId(value)) {
      return conversationsOfUser(botId, value, { direction: 'desc', first: '', last: END });
    }
  }
  return undefined;
}

async function* toAsync(ids: readonly string[]) {
  for (const id of ids) yield { id };
}

async function* filtered(
  call: CallerScope,
  filters: ConversationFilters,
  source: AsyncIterable<ListEntry<Conversation>>,
): AsyncGenerator<ListEntry<Conversation>> {
  const tags = storedNames(call, filters.tags ?? {});
  for await (const { sortKey, record } of source) {
    const isWanted =
      record !== undefined &&
      canSee(call, record) &&
      hasTags(tagsOfConversation(record), tags, false) &&
      (filters.integrationName === undefined || record.integration === filters.integrationName) &&
      (filters.channel === undefined || record.channel === filters.channel) &&
      record.messageCount >= (filters.minMessageCount ?? 0) &&
      record.messageCount <= (filters.maxMessageCount ?? Number.POSITIVE_INFINITY) &&
      (await takePart(call.botId, record, filters.participantIds ?? []));
    yield { sortKey, record: isWanted ? record : undefined };
  }
}

async function takePart(botId: string, { id, generation }: Conversation, userIds: string[]): Promise<boolean> {
  if (userIds.length === 0) return true;
  const participants = await readItems([...new Set(userIds)].map(userId => participantKey(botId, id, userId)));
  return participants.every(participant => participant?.generation === generation);
}
