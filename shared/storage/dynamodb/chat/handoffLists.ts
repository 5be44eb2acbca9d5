/** Lists of handoffs: each is one query of an index per bot and status. */
import { hashText } from '#shared/core/ids.ts';
import { queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationPk, handoffPrefix, handoffsPk } from '#shared/storage/dynamodb/keys/chat.ts';
import { splitPk, TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';
import {
  END,
  isBehind,
  type Listed,
  mergeParts,
  type Part,
  partitionList,
  type Range,
  readListed,
  timeRange,
} from '#shared/storage/dynamodb/lists/lists.ts';
import { HANDOFF_PRIORITIES, type Handoff, type ListedStatus, parseHandoff, QUEUE_RANKS } from './handoffs.ts';

export interface HandoffFilters {
  /** Every status by default; of a member: the conversations that are assigned to them and not snoozed. */
  status?: ListedStatus | undefined;
  memberId?: string | undefined;
  /** Restricts the list to unread handoffs of the member. */
  isUnread?: boolean | undefined;
}

/**
 * Lists handoffs: the queue by priority and start, those of a member by the last message of a user, others by their
 * last change. In both directions, higher priorities come first. Index entries have only keys.
 */
export function listHandoffEntries(
  botIds: readonly string[],
  filters: readonly HandoffFilters[],
  range: Range,
): AsyncGenerator<Listed> {
  const partsOf = (all: readonly HandoffFilters[]) => botIds.flatMap(botId => all.map(each => partOf(botId, each)));
  const queue = filters.filter(({ status, memberId }) => status === 'waiting' && memberId === undefined);
  const isByPriority = queue.length > 0 && range.direction === 'desc';
  return isByPriority ? listByPriority(partsOf(filters), partsOf(queue), range) : mergeParts(partsOf(filters), range);
}

/**
 * In ascending order, the ranks of the keys sort the queue. In descending order, each priority is a range of its own.
 * Entries of other lists have no rank.
 */
async function* listByPriority(
  all: readonly Part[],
  queue: readonly Part[],
  { direction, after }: Range,
): AsyncGenerator<Listed> {
  const bands = HANDOFF_PRIORITIES.map(priority => bandOf(QUEUE_RANKS[priority]));
  const isIn = ({ first, last }: Band, place: string) => !isBehind(first, place) && !isBehind(place, last);
  const begun =
    after === undefined
      ? 0
      : Math.max(
          0,
          bands.findIndex(band => isIn(band, after)),
        );
  for (const [i, band] of bands.slice(begun).entries()) {
    const parts = band.first === UNRANKED ? all : queue;
    yield* mergeParts(parts, { ...band, direction, after: i === 0 ? after : undefined });
  }
}

/** Precedes every position. */
const UNRANKED = '0';
type Band = Pick<Range, 'first' | 'last'>;

const bandOf = (rank: string): Band =>
  rank === '' ? { first: UNRANKED, last: `z${END}` } : { first: rank, last: `${rank}${END}` };

/**
 * Lists the handoffs of bots by their start, latest first. Omits handoffs that were started before a release listed
 * them and have not changed since.
 */
export const listHandoffStarts = (
  botIds: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): AsyncGenerator<Listed> =>
  mergeParts(
    botIds.map(botId => ({ index: 'gsi5', pk: handoffsPk(botId) })),
    { direction: 'desc', ...timeRange(fromMs, toMs) },
  );

/** Lists the handoffs of a conversation by their start. */
export const listHandoffsOf = (botId: string, conversationId: string, range: Range): AsyncGenerator<Listed> =>
  partitionList(conversationPk(botId, conversationId), handoffPrefix, range);

function partOf(botId: string, { status, memberId, isUnread }: HandoffFilters): Part & Required<Pick<Part, 'index'>> {
  const pk = handoffsPk(botId);
  if (memberId === undefined) {
    return status === undefined ? { index: 'gsi1', pk } : { index: 'gsi2', pk, prefix: `${status}#` };
  }
  if (isUnread) return { index: 'gsi4', pk, prefix: `${memberId}#` };
  return { index: 'gsi3', pk, prefix: `${memberId}#${status ?? 'served'}#` };
}

/** Limit of each count. Clients display a count at the limit as "99+". */
export const MAX_COUNT = 100;

/** Counts up to `limit`. Costs half a read unit per 60 entries. */
export async function countHandoffs(botId: string, filters: HandoffFilters, limit: number): Promise<number> {
  const { index, pk, prefix = '' } = partOf(botId, filters);
  const { partitionKey, sortKey } = TABLE_SHAPE.indexes[index];
  const { items } = await queryPage({
    IndexName: index,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    Limit: limit,
  });
  return items.length;
}

export const readHandoffs = async (entries: readonly Listed[]): Promise<Handoff[]> =>
  (await readListed(entries)).map(({ item }) => parseHandoff(item));

/** As {@link readHandoffs}, with the bot of each and its place in the list. */
export const readHandoffsOfBots = async (
  entries: readonly Listed[],
): Promise<{ sortKey: string; botId: string; handoff: Handoff }[]> =>
  (await readListed(entries)).map(({ sortKey, item }) => ({
    sortKey,
    botId: splitPk(item.pk).botId,
    handoff: parseHandoff(item),
  }));

export const versionOfPage = (entries: readonly Listed[]): string =>
  hashText(...entries.map(({ sortKey, item }) => `${sortKey} ${item.version ?? ''}`));
