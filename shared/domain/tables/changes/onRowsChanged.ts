/**
 * Reacts to changed rows: has them computed and indexed, and publishes events. They are counted by
 * `countRowChanges.ts`.
 */

import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import type { StreamChange } from '#shared/storage/dynamodb/streamChange.ts';
import { isStale, isUnindexed } from '#shared/storage/dynamodb/tables/row.ts';
import {
  groupByTable,
  type RowStreamChange,
  type TableRowChanges,
} from '#shared/storage/dynamodb/tables/rowChanges.ts';
import { findTable, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { enqueueRows } from '#shared/storage/queues/rows.ts';
import { dropStaleKeys } from './dropStaleKeys.ts';
import { publishRowEvents } from './publishRowEvents.ts';

/** @param changes in the order of the stream; each may be delivered again, in another batch */
export async function onRowsChanged(changes: readonly StreamChange[]): Promise<void> {
  throwFirstFailure(await Promise.allSettled(groupByTable(changes).map(onTableRowsChanged)));
}

async function onTableRowsChanged(changed: TableRowChanges): Promise<void> {
  const { botId, tableId, changes } = changed;
  const [bot, table] = await Promise.all([findBotCached(botId), findTable(botId, tableId)]);
  // The rows of a deleted bot or table are swept.
  if (!bot || bot.deletedAtMs !== undefined || !table) return;
  // A failure does not stop the others: they are idempotent, and the batch is delivered again.
  const results = await Promise.allSettled([
    enqueueRows({ botId, tableId, ids: changes.filter(change => needsWork(table, change)).map(({ id }) => id) }),
    dropStaleKeys(table, changed),
    publishRowEvents(table, changed),
  ]);
  throwFirstFailure(results);
}

function throwFirstFailure(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

/** Whether a row has new work pending, or left a vector behind. */
function needsWork(table: Table, { before, after }: RowStreamChange): boolean {
  if (!after) return isSearchable(table);
  const isChanged = before?.version !== after.version;
  return isChanged && (isStale(after) || isUnindexed(after));
}
