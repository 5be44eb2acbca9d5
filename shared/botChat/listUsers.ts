/** Lists of users: from whichever list leads to what is wanted most directly, and the rest filtered. */

import type { BotCall } from '#shared/api/platform/operation.ts';
import { findUsers, parseUser, tagsOfUser, type User } from '#shared/dynamodb/chat/users.ts';
import { conversationPk, formerPrefix, participantPrefix } from '#shared/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import {
  botList,
  type Direction,
  END,
  pageOfList,
  partitionList,
  type Range,
  timeRange,
} from '#shared/dynamodb/lists.ts';
import { concat, type ListEntry, sortInMemory } from '#shared/dynamodb/sortInMemory.ts';
import { listNarrowest, loadTagged, type Tags } from '#shared/dynamodb/tags.ts';
import { ApiError } from '#shared/errors.ts';
import { resolveUserId } from '#shared/ids.ts';
import { type CallerScope, canSee, storedNames } from '#shared/messaging/callerScope.ts';
import { hasTags } from '#shared/messaging/getOrCreate.ts';
import { requireConversation } from './conversations.ts';

type Field = 'createdAt' | 'updatedAt';

export interface UserFilters {
  conversationId?: string | undefined;
  tags?: Tags | undefined;
  /** Milliseconds, of `rangeField`, which is the field by which it is sorted unless it is given. */
  afterDate?: number | undefined;
  beforeDate?: number | undefined;
  rangeField?: Field | undefined;
  sortField?: Field | undefined;
  sortDirection?: Direction | undefined;
}

/** Records that are read together. */
const TOGETHER = 25;

const msOf = (user: User, field: Field) => (field === 'createdAt' ? user.createdAtMs : user.updatedAtMs);

/** A page of users, newest first unless asked otherwise; those of a conversation by id, unless asked otherwise. */
export async function listUsers(
  call: CallerScope & Pick<BotCall<unknown>, 'pageStart'>,
  filters: UserFilters,
  pageSize: number,
): Promise<{ records: User[]; next?: string }> {
  const { sortField = 'createdAt', sortDirection = 'desc', rangeField = sortField, afterDate, beforeDate } = filters;
  const isBySort = rangeField === sortField;
  const range = {
    direction: sortDirection,
    ...(isBySort ? timeRange(afterDate, beforeDate) : timeRange(undefined, undefined)),
    after: call.pageStart,
  };
  const source = await nearest(call, filters, sortField, range);
  const isWanted = (user: User) =>
    canSee(call, user) &&
    hasTags(tagsOfUser(user), storedNames(call, filters.tags ?? {}), false) &&
    msOf(user, rangeField) >= (afterDate ?? 0) &&
    msOf(user, rangeField) <= (beforeDate ?? Number.POSITIVE_INFINITY);

  async function* wanted() {
    for await (const { sortKey, record } of source)
      yield { sortKey, record: record && isWanted(record) ? record : undefined };
  }
  return pageOfList(wanted(), pageSize);
}

/** The list that leads to what is wanted, in the order that is wanted. */
async function nearest(
  call: CallerScope,
  { conversationId, tags, sortField: wantedField }: UserFilters,
  sortField: Field,
  range: Range,
): Promise<AsyncIterable<ListEntry<User>>> {
  const { botId } = call;
  const load = (ids: string[]) => findUsers(botId, ids);
  const placeOf = (user: User) => timedSk(msOf(user, sortField), user.id);
  const all = { direction: range.direction, first: '', last: END };

  if (conversationId !== undefined) {
    const conversation = await requireConversation(call, conversationId);
    const everyone = everyoneIn(botId, conversation.id, conversation.generation, {
      ...all,
      after: wantedField === undefined ? range.after : undefined,
    });
    if (wantedField === undefined) return loadTagged(everyone, load, TOGETHER);
    const few = await sortInMemory(everyone, load, placeOf, range);
    if (few) return few;
    throw new ApiError('LimitExceeded', 'So many users took part that they are not sorted: leave sortField out.');
  }

  const stored = storedNames(call, tags ?? {});
  if (Object.keys(stored).length === 0) return allOf(botId, sortField, range);
  // Those whom a chat user's own name leads to are not among the tags' entries in the first moment.
  const fid = Object.entries(stored).find(([key]) => key.endsWith(':fid'))?.[1];
  const named = fid === undefined ? [] : call.bot.installations.map(({ webhookId }) => resolveUserId(webhookId, fid));
  if (named.length > 0 || sortField === 'updatedAt') {
    const ids = named.filter(id => id !== undefined);
    const few = await sortInMemory(
      concat(fromIds(ids), listNarrowest(botId, 'user', stored, all)),
      load,
      placeOf,
      range,
    );
    if (few) return few;
  }
  return sortField === 'createdAt'
    ? loadTagged(listNarrowest(botId, 'user', stored, range), load, TOGETHER)
    : allOf(botId, sortField, range);
}

async function* fromIds(ids: string[]) {
  for (const id of ids) yield { id };
}

async function* allOf(botId: string, sortField: Field, range: Range) {
  for await (const { sortKey, item } of botList(botId, 'users', sortField === 'createdAt' ? 'gsi1' : 'gsi2', range)) {
    yield { sortKey, record: parseUser(item) };
  }
}

/** Everyone who takes part in a conversation, or did (FACTS 1.3), by id. */
async function* everyoneIn(botId: string, conversationId: string, generation: number, range: Range) {
  const pk = conversationPk(botId, conversationId);
  const lists = [participantPrefix, formerPrefix].map(prefix => partitionList(pk, prefix, range));
  const heads = await Promise.all(lists.map(list => list.next()));
  const comesFirst = (a: string, b: string) => (range.direction === 'asc' ? a < b : a > b);
  for (;;) {
    let best = -1;
    heads.forEach(({ done, value }, i) => {
      if (!done && (best < 0 || comesFirst(value.sortKey, heads[best]!.value!.sortKey))) best = i;
    });
    if (best < 0) return;
    const { sortKey, item } = heads[best]!.value!;
    // Who left and came back is in both.
    for (const [i, head] of heads.entries()) {
      if (!head.done && head.value.sortKey === sortKey) heads[i] = await lists[i]!.next();
    }
    if ((item.generation ?? item.g ?? 0) === generation) yield { sortKey, id: sortKey };
  }
}
