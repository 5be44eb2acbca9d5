/** Marks rows as to be computed and indexed anew: their own changes then have that done. */
import { mapConcurrently } from '#shared/concurrency.ts';
import { changeRow, type RowChange } from '#shared/dynamodb/tables/rowWrites.ts';
import { findRows, rowsInOrder } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { requireTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import type { RunResult, JobHandler, JobRun } from '#shared/tables/jobs/jobRun.ts';
import { isComputed } from '#shared/tables/rows/newRow.ts';
import { isSearchable } from '#shared/tables/search/rowIndex.ts';
import { RefreshPlan } from './refreshPlan.ts';

export const refreshJob: JobHandler = { work };

const CHUNK_ROWS = 200;
const AT_ONCE = 16;

/** What is marked of each row. */
interface Marks {
  columns: readonly string[];
  isIndexed: boolean;
}

async function work(run: JobRun): Promise<RunResult> {
  const { bot, job } = run;
  const plan = run.plan(RefreshPlan);
  let table = await requireTable(bot.id, job.tableId);
  const reading = { from: plan.after + 1, to: plan.lastId, direction: 'asc' as const, pageSize: CHUNK_ROWS };
  if (reading.from > reading.to) return {};
  let chunk: Row[] = [];
  const mark = async () => {
    const marks = marksNow(table, plan);
    await mapConcurrently(chunk, AT_ONCE, row => markRow(bot.id, table, row, marks));
    await run.save({ ...plan, after: chunk.at(-1)!.id }, chunk.at(-1)!.id / plan.lastId);
    chunk = [];
  };
  for await (const row of rowsInOrder(bot.id, table.id, plan.lastId, reading)) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    await mark();
    if (!run.isTimeLeft()) return 'unfinished';
    table = await requireTable(bot.id, job.tableId);
  }
  if (chunk.length > 0) await mark();
  return {};
}

/** The table may have changed again since: what is not computed any more is not marked. */
const marksNow = (table: Table, { columns, isIndexed }: RefreshPlan): Marks => ({
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
    await write([changeRow(botId, table.id, seen, markingOf(table, seen, marks)).write]);
  });
}

const isMarked = ({ pending, isUnindexed }: Row, marks: Marks) =>
  marks.columns.every(id => pending.includes(id)) && (isUnindexed || !marks.isIndexed);

function markingOf(table: Table, row: Row, { columns, isIndexed }: Marks): RowChange {
  const known = new Set(table.columns.map(({ id }) => id));
  return {
    set: {},
    cells: { ...row.cells, ...Object.fromEntries(columns.map(id => [id, { status: 'pending' as const }])) },
    pending: [...new Set([...row.pending, ...columns])],
    isUnindexed: row.isUnindexed || isIndexed,
    dropped: Object.keys(row.values).filter(id => !known.has(id)),
    // Nobody changed what the row says.
    nowMs: row.updatedAtMs,
  };
}
