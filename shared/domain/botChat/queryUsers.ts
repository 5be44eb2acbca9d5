import type { BotCall } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { resolveUserId } from '#shared/core/ids.ts';
import { type CallerScope, canSee, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { hasTags } from '#shared/domain/messaging/tagMatch.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listEverParticipants } from '#shared/storage/dynamodb/chat/participantQueries.ts';
import {
  findUsers,
  listUsers,
  tagsOfUser,
  type User,
  type UserTimeField,
  userSortKey,
  userTimeMs,
} from '#shared/storage/dynamodb/chat/users.ts';
import { type Direction, END, pageOfList, type Range, timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import { concat, type ListEntry, sortInMemory } from '#shared/storage/dynamodb/lists/sortInMemory.ts';
import { listNarrowest, loadTagged } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';
import { requireConversation } from './botChatConversations.ts';

export interface UserFilters {
  conversationId?: string | undefined;
  tags?: Tags | undefined;
  /** In milliseconds, of `rangeField`, which defaults to `sortField`. */
  afterDate?: number | undefined;
  beforeDate?: number | undefined;
  rangeField?: UserTimeField | undefined;
  sortField?: UserTimeField | undefined;
  sortDirection?: Direction | undefined;
}

const LOAD_BATCH = 25;

/**
 * Returns a page of users, sorted by creation, newest first, by default; those of a conversation by id.
 * @throws ApiError ResourceNotFound for the conversation, LimitExceeded if it has too many users to sort
 */
export async function queryUsers(
  call: CallerScope & Pick<BotCall<unknown>, 'pageStart'>,
  filters: UserFilters,
  pageSize: number,
): Promise<{ records: User[]; next?: string }> {
  const { sortField = 'createdAt', sortDirection = 'desc', rangeField = sortField, afterDate, beforeDate } = filters;
  const isRangeOfSort = rangeField === sortField;
  const range = {
    direction: sortDirection,
    ...(isRangeOfSort ? timeRange(afterDate, beforeDate) : timeRange(undefined, undefined)),
    after: call.pageStart,
  };
  const source = await chooseSource(call, filters, sortField, range);
  const tags = storedNames(call, filters.tags ?? {});
  const matches = (user: User) =>
    canSee(call, user) &&
    hasTags(tagsOfUser(user), tags) &&
    userTimeMs(user, rangeField) >= (afterDate ?? 0) &&
    userTimeMs(user, rangeField) <= (beforeDate ?? Number.POSITIVE_INFINITY);

  async function* filtered() {
    for await (const { sortKey, record } of source)
      yield { sortKey, record: record && matches(record) ? record : undefined };
  }
  return pageOfList(filtered(), pageSize);
}

async function chooseSource(
  call: CallerScope,
  { conversationId, tags, sortField: requestedField }: UserFilters,
  sortField: UserTimeField,
  range: Range,
): Promise<AsyncIterable<ListEntry<User>>> {
  const { botId } = call;
  const load = (ids: string[]) => findUsers(botId, ids);
  const sortKeyOf = (user: User) => userSortKey(user, sortField);
  const all = { direction: range.direction, first: '', last: END };

  if (conversationId !== undefined) {
    const conversation = await requireConversation(call, conversationId);
    const isById = requestedField === undefined;
    const users = listEverParticipants(botId, conversation, { ...all, after: isById ? range.after : undefined });
    if (isById) return loadTagged(users, load, LOAD_BATCH);
    const sorted = await sortInMemory(users, load, sortKeyOf, range);
    if (sorted) return sorted;
    throw new ApiError('LimitExceeded', 'The conversation has too many users to sort. Omit sortField.');
  }

  const stored = storedNames(call, tags ?? {});
  if (Object.keys(stored).length === 0) return listUsers(botId, sortField, range);
  // The tag index lags behind for derived tags of chat users, so the foreign id is resolved directly.
  const fid = Object.entries(stored).find(([key]) => key.endsWith(':fid'))?.[1];
  // Re-reads the bot, because the installation may be new.
  const installations = fid === undefined ? [] : ((await findBot(botId)) ?? call.bot).installations;
  if (installations.length > 0 || sortField === 'updatedAt') {
    const chatIds = installations.flatMap(({ webhookId }) => resolveUserId(webhookId, fid!) ?? []);
    const entries = concat(fromIds(chatIds), listNarrowest(botId, 'user', stored, all));
    const sorted = await sortInMemory(entries, load, sortKeyOf, range);
    if (sorted) return sorted;
  }
  return sortField === 'createdAt'
    ? loadTagged(listNarrowest(botId, 'user', stored, range), load, LOAD_BATCH)
    : listUsers(botId, sortField, range);
}

async function* fromIds(ids: readonly string[]) {
  for (const id of ids) yield { id };
}
