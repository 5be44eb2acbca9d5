/** Enqueues changed rows for computing and indexing, and publishes events. `countRows.ts` counts them. */

import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { isStale, isUnindexed } from '#shared/storage/dynamodb/tables/row.ts';
import {
  groupByTable,
  type RowStreamChange,
  type TableRowChanges,
} from '#shared/storage/dynamodb/tables/rowChanges.ts';
import { findTable, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { enqueueRows } from '#shared/storage/queues/rowJobs.ts';
import { dropStaleKeys } from './dropStaleKeys.ts';
import { publishRowEvents } from './publishRowEvents.ts';

/** @param changes in stream order; each may be redelivered in another batch */
export async function computeRows(changes: readonly StreamChange[]): Promise<void> {
  throwFirstFailure(await Promise.allSettled(groupByTable(changes).map(onTableRowsChanged)));
}

async function onTableRowsChanged(changed: TableRowChanges): Promise<void> {
  const { botId, tableId, changes } = changed;
  const [bot, table] = await Promise.all([findBotCached(botId), findTable(botId, tableId)]);
  if (!bot || bot.deletedAtMs !== undefined || !table) return;
  // Each step is idempotent and the batch is redelivered, so one failure does not stop the other steps.
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

function needsWork(table: Table, { before, after }: RowStreamChange): boolean {
  if (!after) return isSearchable(table);
  const isChanged = before?.version !== after.version;
  return isChanged && (isStale(after) || isUnindexed(after));
}
