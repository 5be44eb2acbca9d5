import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import { log } from '#shared/core/log.ts';
import { indexRows } from '#shared/domain/tables/search/indexRows.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { findTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';
import { enqueueRows, type RowJob } from '#shared/storage/queues/rowJobs.ts';
import type { ComputeContext } from './computedCell.ts';
import { computeRow, recomputeChangedColumns } from './computeRow.ts';

/** Language models handle several requests concurrently; the sandbox serializes code anyway. */
const CONCURRENT_ROWS = 8;

export type RowsOutcome = 'done' | 'unfinished' | 'gone';

/**
 * @param isLast marks a cell as failed if an external service fails
 * @param isTimeLeft false enqueues the remaining rows again
 * @throws the first row's error, after all other rows are processed
 */
export async function workOnRows(
  job: RowJob,
  { isLast, isTimeLeft }: { isLast: boolean; isTimeLeft: () => boolean },
): Promise<RowsOutcome> {
  const { botId, tableId, ids } = job;
  // Rows are read before the table, so no row is newer than the columns that compute it.
  const rows = await findRows(botId, tableId, ids);
  const [bot, table] = await Promise.all([findBot(botId), findTableToWrite(botId, tableId)]);
  if (!bot || bot.deletedAtMs !== undefined || !table) return 'gone';
  const waiting = rows.filter((row): row is Row => row !== undefined && row.pending.length > 0);
  const { left, faults } = await computeAll({ bot, table }, waiting, isLast, isTimeLeft);
  if (waiting.length > 0) await recomputeChangedColumns(table, bot.id, waiting);
  const later = new Set(left);
  await indexRows(
    { workspaceId: bot.workspaceId, botId },
    table,
    ids.filter(id => !later.has(id)),
  ).catch(error => {
    if (!(error instanceof ApiError && error.type === 'QuotaExceeded')) throw error;
    // A retry would fail too: the rows stay out of the search index until they change.
    log.warn('Rows were not indexed because their workspace reached its spending limit.', { botId, tableId });
  });
  if (faults.length > 0) throw faults[0];
  if (left.length === 0) return 'done';
  await enqueueRows({ botId, tableId, ids: left });
  return 'unfinished';
}

async function computeAll(context: ComputeContext, rows: readonly Row[], isLast: boolean, isTimeLeft: () => boolean) {
  const left: number[] = [];
  const faults: unknown[] = [];
  await mapConcurrently(rows, CONCURRENT_ROWS, async row => {
    if (!isTimeLeft()) {
      left.push(row.id);
      return;
    }
    try {
      await computeRow(context, row, isLast);
    } catch (error) {
      faults.push(error);
    }
  });
  return { left, faults };
}
