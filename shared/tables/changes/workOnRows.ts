/** A job on rows: what they wait for is computed, and what of them is searched is indexed. */
import { mapConcurrently } from '#shared/concurrency.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { findTable } from '#shared/dynamodb/tables/tables.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { type RowJob, enqueueRows } from '#shared/queues/rows.ts';
import type { ComputeContext } from '#shared/tables/compute/computedCell.ts';
import { recomputeChangedColumns, computeRow } from '#shared/tables/compute/computeRows.ts';
import { indexRows } from '#shared/tables/search/indexRows.ts';

/** Language models take several at a time; code runs one by one anyway. */
const ROWS_AT_ONCE = 8;

export type RowsOutcome = 'done' | 'unfinished' | 'gone';

/**
 * @param isLast what fails for no fault of the table is not tried again
 * @param isTimeLeft whether there is time for another row; if not, the others are put on the queue again
 * @throws what the first row failed of, when the others are done
 */
export async function workOnRows(
  job: RowJob,
  { isLast, isTimeLeft }: { isLast: boolean; isTimeLeft: () => boolean },
): Promise<RowsOutcome> {
  const { botId, tableId, ids } = job;
  // Before the table, so that a row is not newer than what is known of its columns.
  const rows = await findRows(botId, tableId, ids);
  const [bot, table] = await Promise.all([findBot(botId), findTable(botId, tableId)]);
  if (!bot || bot.deletedAtMs !== undefined || !table) return 'gone';
  const waiting = rows.filter((row): row is Row => row !== undefined && row.pending.length > 0);
  const { left, faults } = await computeAll({ bot, table }, waiting, isLast, isTimeLeft);
  if (waiting.length > 0) await recomputeChangedColumns(table, bot.id, waiting);
  const later = new Set(left);
  await indexRows(
    botId,
    table,
    ids.filter(id => !later.has(id)),
  );
  if (faults.length > 0) throw faults[0];
  if (left.length === 0) return 'done';
  await enqueueRows({ botId, tableId, ids: left });
  return 'unfinished';
}

/** @returns the rows for which there was no time, and what others failed of */
async function computeAll(context: ComputeContext, rows: readonly Row[], isLast: boolean, isTimeLeft: () => boolean) {
  const left: number[] = [];
  const faults: unknown[] = [];
  await mapConcurrently(rows, ROWS_AT_ONCE, async row => {
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
