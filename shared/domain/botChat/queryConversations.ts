import type { BotCall } from '#shared/api/operations/platform.ts';
import { isUserId, resolveConversationId } from '#shared/core/ids.ts';
import { type CallerScope, canSee, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { hasTags } from '#shared/domain/messaging/tagMatch.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import {
  type Conversation,
  conversationSortKey,
  findConversations,
  listConversations,
  type TimeField,
  tagsOfConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { areParticipants, listConversationIdsOfUser } from '#shared/storage/dynamodb/chat/participantQueries.ts';
import { type Direction, END, pageOfList, type Range, timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import { concat, type ListEntry, sortInMemory } from '#shared/storage/dynamodb/lists/sortInMemory.ts';
import { listNarrowest, loadTagged } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

export interface ConversationFilters {
  sortField?: TimeField | undefined;
  sortDirection?: Direction | undefined;
  tags?: Tags | undefined;
  participantIds?: string[] | undefined;
  integrationName?: string | undefined;
  channel?: string | undefined;
  afterDate?: number | undefined;
  beforeDate?: number | undefined;
  minMessageCount?: number | undefined;
  maxMessageCount?: number | undefined;
}

const LOAD_BATCH = 25;

export async function queryConversations(
  call: CallerScope & Pick<BotCall<unknown>, 'pageStart'>,
  filters: ConversationFilters,
  pageSize: number,
): Promise<{ records: Conversation[]; next?: string }> {
  const { sortField = 'createdAt', sortDirection = 'desc', afterDate, beforeDate } = filters;
  const range = { direction: sortDirection, ...timeRange(afterDate, beforeDate), after: call.pageStart };
  return pageOfList(filtered(call, filters, await chooseSource(call, filters, sortField, range)), pageSize);
}

async function chooseSource(
  call: CallerScope,
  { tags, participantIds }: ConversationFilters,
  sortField: TimeField,
  range: Range,
): Promise<AsyncIterable<ListEntry<Conversation>>> {
  const { botId } = call;
  const stored = storedNames(call, tags ?? {});
  const load = (ids: string[]) => findConversations(botId, ids);
  const userId = participantIds?.[0];
  const selectiveList = (within: Range) => {
    if (userId !== undefined) return listConversationIdsOfUser(botId, userId, within);
    return Object.keys(stored).length > 0 ? listNarrowest(botId, 'conversation', stored, within) : undefined;
  };

  // A user's list and the tag index are sorted by creation, so other orders are sorted in memory. Derived tags of the
  // chat interface have no entries in the tag index.
  const derived = userId === undefined ? await conversationsByDerivedTag(call, stored) : undefined;
  if (derived || sortField === 'updatedAt') {
    const entries = selectiveList({ direction: range.direction, first: '', last: END });
    const sortKeyOf = (conversation: Conversation) => conversationSortKey(conversation, sortField);
    const sorted = entries && (await sortInMemory(concat(derived, entries), load, sortKeyOf, range));
    if (sorted) return sorted;
  }
  const entries = sortField === 'createdAt' ? selectiveList(range) : undefined;
  return entries ? loadTagged(entries, load, LOAD_BATCH) : listConversations(botId, sortField, range);
}

/** Yields conversations of the chat interface with a derived tag; undefined without such a tag. */
async function conversationsByDerivedTag(
  { bot, botId }: CallerScope,
  tags: Tags,
): Promise<AsyncIterable<{ id: string }> | undefined> {
  for (const [key, value] of Object.entries(tags)) {
    if (key.endsWith(':fid')) {
      // Re-reads the bot, because the installation may be new.
      const { installations } = (await findBot(botId)) ?? bot;
      return fromIds(installations.flatMap(({ webhookId }) => resolveConversationId(webhookId, value) ?? []));
    }
    if (key.endsWith(':owner') && isUserId(value)) {
      return listConversationIdsOfUser(botId, value, { direction: 'desc', first: '', last: END });
    }
  }
  return undefined;
}

async function* fromIds(ids: readonly string[]) {
  for (const id of ids) yield { id };
}

async function* filtered(
  call: CallerScope,
  filters: ConversationFilters,
  source: AsyncIterable<ListEntry<Conversation>>,
): AsyncGenerator<ListEntry<Conversation>> {
  const { integrationName, channel, minMessageCount = 0, maxMessageCount = Number.POSITIVE_INFINITY } = filters;
  const tags = storedNames(call, filters.tags ?? {});
  for await (const { sortKey, record } of source) {
    const matches =
      record !== undefined &&
      canSee(call, record) &&
      hasTags(tagsOfConversation(record), tags) &&
      (integrationName === undefined || record.integration === integrationName) &&
      (channel === undefined || record.channel === channel) &&
      record.messageCount >= minMessageCount &&
      record.messageCount <= maxMessageCount &&
      (await areParticipants(call.botId, record, filters.participantIds ?? []));
    yield { sortKey, record: matches ? record : undefined };
  }
}
