import { mapConcurrently } from '#shared/core/concurrency.ts';
import { pendingChange } from '#shared/domain/tables/compute/computedCell.ts';
import type { JobHandler, JobRun, RunResult } from '#shared/domain/tables/jobs/jobRun.ts';
import { logBatch } from '#shared/domain/tables/rows/logged.ts';
import { isComputed } from '#shared/domain/tables/schema/computedColumns.ts';
import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows, rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { changeRow } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { requireTableToWrite, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { RefreshPlan } from './refreshPlan.ts';

/** Marks rows as pending and not indexed. The stream of these changes triggers computing and indexing. */
export const refreshJob: JobHandler = { work };

const CHUNK_ROWS = 200;
const AT_ONCE = 16;

interface Marks {
  columns: readonly string[];
  isIndexed: boolean;
}

async function work(run: JobRun): Promise<RunResult> {
  const { bot, job } = run;
  const plan = run.plan(RefreshPlan);
  let table = await requireTableToWrite(bot.id, job.tableId);
  const reading = { from: plan.after + 1, to: plan.lastId, direction: 'asc' as const, pageSize: CHUNK_ROWS };
  if (reading.from > reading.to) return {};
  let chunk: Row[] = [];
  const mark = async () => {
    const marks = currentMarks(table, plan);
    const ids = chunk.map(({ id }) => id);
    await logBatch({ bot, table }, ids, () =>
      mapConcurrently(chunk, AT_ONCE, row => markRow(bot.id, table, row, marks)),
    );
    await run.save({ ...plan, after: chunk.at(-1)!.id }, chunk.at(-1)!.id / plan.lastId);
    chunk = [];
  };
  for await (const row of rowsInOrder(bot.id, table.id, plan.lastId, reading)) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    await mark();
    if (!run.isTimeLeft()) return 'unfinished';
    table = await requireTableToWrite(bot.id, job.tableId);
  }
  if (chunk.length > 0) await mark();
  return {};
}

/** Drops columns that are no longer computed, because the table may have changed again. */
const currentMarks = (table: Table, { columns, isIndexed }: RefreshPlan): Marks => ({
  columns: columns.filter(id => table.columns.some(column => column.id === id && isComputed(table, column))),
  isIndexed: isIndexed && isSearchable(table),
});

async function markRow(botId: string, table: Table, known: Row, marks: Marks): Promise<void> {
  let row: Row | undefined = known;
  await retryConflicts(async () => {
    row ??= (await findRows(botId, table.id, [known.id]))[0];
    if (!row || isMarked(row, marks)) return;
    const seen = row;
    row = undefined;
    const change = pendingChange(table, seen, marks.columns, seen.isUnindexed || marks.isIndexed);
    await write([changeRow(botId, table.id, seen, change).write]);
  });
}

const isMarked = ({ pending, isUnindexed }: Row, marks: Marks) =>
  marks.columns.every(id => pending.includes(id)) && (isUnindexed || !marks.isIndexed);
