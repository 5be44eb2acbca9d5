/** What follows when rows change: they are counted, computed and indexed, and their bot is told. */
import { cached } from '#shared/cache.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { groupByTable, type RowStreamChange, type TableRowChanges } from '#shared/dynamodb/tables/changes.ts';
import { type CountedChange, countRows } from '#shared/dynamodb/tables/rowCounts.ts';
import type { Row } from '#shared/dynamodb/tables/row.ts';
import { findTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { enqueueRows } from '#shared/queues/rows.ts';
import { isSearchable } from '#shared/tables/search/rowIndex.ts';
import { dropStaleKeys } from './dropOldKeys.ts';
import { publishRowEvents } from './publishRowEvents.ts';

const BOT_CACHE_MS = 10_000;
const findCachedBot = cached(findBot, { forMs: BOT_CACHE_MS, keepsAbsence: true });

/** @param changes in the order of the stream; each may come again, and with others than before */
export async function onRowsChanged(changes: readonly StreamChange[]): Promise<void> {
  const ends = await Promise.allSettled(groupByTable(changes).map(onTableRowsChanged));
  throwFirst(ends);
}

async function onTableRowsChanged(changed: TableRowChanges): Promise<void> {
  const { botId, tableId, changes } = changed;
  const [bot, table] = await Promise.all([findCachedBot(botId), findTable(botId, tableId)]);
  // Of a bot or table that is gone everything is swept.
  if (!bot || bot.deletedAtMs !== undefined || !table) return;
  // One that fails does not keep the others from being done: it comes again, and they have been done then.
  const ends = await Promise.allSettled([
    countRows(bot, tableId, changes.map(toCountedChange), Date.now()),
    enqueueRows({ botId, tableId, ids: changes.filter(change => needsWork(table, change)).map(({ id }) => id) }),
    dropStaleKeys(table, changed),
    publishRowEvents(table, changed),
  ]);
  throwFirst(ends);
}

function throwFirst(ends: readonly PromiseSettledResult<unknown>[]): void {
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

const isStale = (row: Row | undefined) => row !== undefined && row.pending.length > 0;
const isUnindexed = (row: Row | undefined) => row?.isUnindexed === true;
const difference = (is: (row: Row | undefined) => boolean, { before, after }: RowStreamChange) =>
  Number(is(after)) - Number(is(before));

const toCountedChange = (change: RowStreamChange): CountedChange => ({
  part: change.part,
  sequenceNumber: change.sequenceNumber,
  rows: difference(row => row !== undefined, change),
  stale: difference(isStale, change),
  indexing: difference(isUnindexed, change),
});

/** Whether a row came to wait for something, or left a vector behind. */
function needsWork(table: Table, { before, after }: RowStreamChange): boolean {
  if (!after) return isSearchable(table);
  const isOther = before?.version !== after.version;
  return isOther && (isStale(after) || isUnindexed(after));
}
