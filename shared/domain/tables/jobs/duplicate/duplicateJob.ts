import { clock } from '#shared/core/clock.ts';
import { insertOnce } from '#shared/domain/tables/jobs/insertOnce.ts';
import type { JobHandler, JobRun, RunResult } from '#shared/domain/tables/jobs/jobRun.ts';
import { requireRoomForRows } from '#shared/domain/tables/rows/rowQuota.ts';
import { searchTextOf } from '#shared/domain/tables/search/rowIndex.ts';
import { requestAfterJob } from '#shared/domain/tables/snapshot/requestSnapshot.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import {
  requireTable,
  requireTableToWrite,
  requireTableWithIds,
  type Table,
} from '#shared/storage/dynamodb/tables/tables.ts';
import { DuplicatePlan } from './duplicatePlan.ts';

export const duplicateJob: JobHandler = { work };

const CHUNK_ROWS = 500;

async function work(run: JobRun): Promise<RunResult> {
  const { bot, job } = run;
  let plan = run.plan(DuplicatePlan);
  const source = await requireTable(bot.id, plan.sourceId);
  const reading = { from: plan.after + 1, to: plan.lastId, direction: 'asc' as const };
  let isFirst = true;
  const rows = reading.from > reading.to ? [] : rowsInOrder(bot.id, source.id, plan.lastId, reading);
  for await (const chunk of chunksOf(rows)) {
    const table = await requireTableToWrite(bot.id, job.tableId);
    // The first chunk may contain rows that the previous run wrote after its last checkpoint.
    plan = await copyRows(run, table, plan, chunk, isFirst);
    isFirst = false;
    await run.save(plan, plan.after / plan.lastId);
    if (!run.isTimeLeft()) return 'unfinished';
  }
  // If the table was deleted meanwhile, the scan may have missed rows.
  await requireTable(bot.id, plan.sourceId);
  await requestAfterJob(bot.id, job.tableId, await requireTableWithIds(bot.id, job.tableId));
  if (plan.leftOut === 0) return {};
  return { reason: `${plan.leftOut} rows were skipped because rows with the same key were created meanwhile.` };
}

async function* chunksOf(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  for await (const row of rows) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function copyRows(run: JobRun, table: Table, plan: DuplicatePlan, rows: readonly Row[], mayExist: boolean) {
  const context = { bot: run.bot, table, nowMs: clock.now() };
  await requireRoomForRows(run.bot, rows.length * table.factor);
  const numbered = rows.map((row, index) => ({ index, row: copyOf(table, row) }));
  const { errors } = await insertOnce(context, numbered, mayExist);
  return { ...plan, after: rows.at(-1)!.id, leftOut: plan.leftOut + errors.length };
}

function copyOf(table: Table, row: Row): Row {
  const known = new Set(table.columns.map(({ id }) => id));
  const onlyKnown = <T>(map: Record<string, T>) =>
    Object.fromEntries(Object.entries(map).filter(([id]) => known.has(id)));
  return {
    ...row,
    version: 1,
    values: onlyKnown(row.values),
    cells: onlyKnown(row.cells),
    pending: row.pending.filter(id => known.has(id)),
    isUnindexed: searchTextOf(table, row) !== undefined,
  };
}
