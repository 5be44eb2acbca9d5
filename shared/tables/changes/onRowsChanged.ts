/** What follows when rows change: they are counted, computed and indexed, and their bot is told. */
import { cached } from '#shared/cache.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { byTable, type RowChanged, type TableChanged } from '#shared/dynamodb/tables/rowChanges.ts';
import { type Counted, countRows } from '#shared/dynamodb/tables/rowCounts.ts';
import type { Row } from '#shared/dynamodb/tables/rows.ts';
import { findTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { enqueueRows } from '#shared/queues/rows.ts';
import { isSearchable } from '#shared/tables/search/rowIndex.ts';
import { dropOldKeys } from './dropOldKeys.ts';
import { publishRowEvents } from './publishRowEvents.ts';

const BOT_CACHE_MS = 10_000;
const findBotNow = cached(findBot, { forMs: BOT_CACHE_MS, keepsAbsence: true });

/** @param changes in the order of the stream; each may come again, and with others than before */
export async function onRowsChanged(changes: readonly StreamChange[]): Promise<void> {
  const ends = await Promise.allSettled(byTable(changes).map(followTableRows));
  throwFirst(ends);
}

async function followTableRows(changed: TableChanged): Promise<void> {
  const { botId, tableId, changes } = changed;
  const [bot, table] = await Promise.all([findBotNow(botId), findTable(botId, tableId)]);
  // Of a bot or table that is gone everything is swept.
  if (!bot || bot.deletedAtMs !== undefined || !table) return;
  // One that fails does not keep the others from being done: it comes again, and they have been done then.
  const ends = await Promise.allSettled([
    countRows(bot, tableId, changes.map(countedOf), Date.now()),
    enqueueRows({ botId, tableId, ids: changes.filter(change => isWork(table, change)).map(({ id }) => id) }),
    dropOldKeys(table, changed),
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
const changeOf = (is: (row: Row | undefined) => boolean, { before, after }: RowChanged) =>
  Number(is(after)) - Number(is(before));

const countedOf = (change: RowChanged): Counted => ({
  part: change.part,
  sequenceNumber: change.sequenceNumber,
  rows: changeOf(row => row !== undefined, change),
  stale: changeOf(isStale, change),
  indexing: changeOf(isUnindexed, change),
});

/** Whether a row came to wait for something, or left a vector behind. */
function isWork(table: Table, { before, after }: RowChanged): boolean {
  if (!after) return isSearchable(table);
  const isOther = before?.version !== after.version;
  return isOther && (isStale(after) || isUnindexed(after));
}
