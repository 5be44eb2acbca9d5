/** A checkpoint saves the ids of a chunk before its rows are written, so a retried chunk writes the same rows once. */

import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { PatternTests } from '#shared/core/patterns.ts';
import { insertOnce } from '#shared/domain/tables/jobs/insertOnce.ts';
import {
  JobFailure,
  type JobHandler,
  type JobRun,
  type OutputFile,
  type RunResult,
} from '#shared/domain/tables/jobs/jobRun.ts';
import { newOutputObject, putOutput } from '#shared/domain/tables/jobs/outputFile.ts';
import { withOriginalNames } from '#shared/domain/tables/jobs/withOriginalNames.ts';
import { checkRow } from '#shared/domain/tables/rows/checkRow.ts';
import { allocateRows } from '#shared/domain/tables/rows/logged.ts';
import { newRow, sizeFault } from '#shared/domain/tables/rows/newRow.ts';
import type { NumberedRow } from '#shared/domain/tables/rows/numberedRows.ts';
import type { TableContext } from '#shared/domain/tables/rows/outcome.ts';
import { requireRoomForRows } from '#shared/domain/tables/rows/rowQuota.ts';
import { requestAfterJob } from '#shared/domain/tables/snapshot/requestSnapshot.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import {
  requireTable,
  requireTableToWrite,
  requireTableWithIds,
  type Table,
} from '#shared/storage/dynamodb/tables/tables.ts';
import { addError, errorFile, spillErrors } from './errorLines.ts';
import { ImportPlan } from './importPlan.ts';
import type { ImportRecord, ParsedRecord } from './importRecords.ts';
import { type Meter, openRecords } from './openRecords.ts';

const CHUNK_RECORDS = 500;
const CHUNK_BYTES = 8 * 1024 * 1024;

export const importJob: JobHandler = {
  work: importRecords,
  giveUp: async (run, reason) => {
    const plan = run.plan(ImportPlan);
    return putErrors(run, { ...plan, errors: addError(plan.errors, { text: reason }) });
  },
  leftovers: run => run.plan(ImportPlan).errors.pieces,
};

async function importRecords(run: JobRun): Promise<RunResult> {
  let plan = run.plan(ImportPlan);
  const meter = { bytes: 0 };
  const columns = withOriginalNames(await requireTable(run.bot.id, run.job.tableId), plan.columns);
  try {
    for await (const chunk of chunksOf(openRecords(plan.file, columns, meter), plan)) {
      plan = await importChunk(run, plan, chunk, meter);
      if (run.isTimeLeft()) continue;
      await save(run, plan, meter);
      return 'unfinished';
    }
  } catch (error) {
    // The job fails permanently: save the errors found so far for its error file.
    if (error instanceof JobFailure || error instanceof ApiError) await save(run, plan, meter);
    throw error;
  }
  await requestAfterJob(run.bot.id, run.job.tableId, await requireTableWithIds(run.bot.id, run.job.tableId));
  if (plan.errors.lines === 0) return {};
  return { file: await putErrors(run, plan), leftovers: plan.errors.pieces };
}

const save = (run: JobRun, plan: ImportPlan, meter: Meter): Promise<void> =>
  run.save(plan, shareOf(plan, meter), { objects: plan.errors.pieces });

const shareOf = ({ file }: ImportPlan, { bytes }: Meter) => bytes / Math.max(1, file.size);

/** Yields chunks of the remaining records. The first repeats the chunk that the previous run left open. */
async function* chunksOf(records: AsyncIterable<ImportRecord>, plan: ImportPlan): AsyncGenerator<ImportRecord[]> {
  let skip = plan.records;
  let open = plan.open?.count;
  let chunk: ImportRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    if (skip > 0) {
      skip--;
      continue;
    }
    chunk.push(record);
    bytes += record.bytes;
    const isFull = open === undefined ? chunk.length === CHUNK_RECORDS || bytes > CHUNK_BYTES : chunk.length === open;
    if (!isFull) continue;
    yield chunk;
    open = undefined;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Imports a chunk. Idempotent. @returns the next plan, not yet saved */
async function importChunk(
  run: JobRun,
  before: ImportPlan,
  chunk: readonly ImportRecord[],
  meter: Meter,
): Promise<ImportPlan> {
  const { bot, job } = run;
  const table = await requireTableToWrite(bot.id, job.tableId);
  const context: TableContext = { bot, table, nowMs: clock.now() };
  const { rows, ...checked } = checkChunk(context, before, chunk);
  let plan: ImportPlan = { ...before, ...checked };
  if (rows.length > 0) {
    const open =
      before.open ?? (await openChunk(run, before, { table, rows: rows.length, records: chunk.length }, meter));
    const firstId = open.lastId - open.count + 1;
    const numbered = rows.map(({ index, row }) => ({ index, row: { ...row, id: firstId + index } }));
    const outcome = await insertOnce(context, numbered, before.open !== undefined);
    plan = withErrors(
      plan,
      outcome.errors.map(({ index, text }) => ({
        record: before.records + index + 1,
        line: chunk[index]!.line,
        text,
      })),
    );
  }
  const errors = await spillErrors(plan.errors, () => newOutputObject(bot.id, errorKey(run, plan)));
  return { ...plan, errors, records: before.records + chunk.length, open: undefined };
}

async function openChunk(
  run: JobRun,
  plan: ImportPlan,
  { table, rows, records }: { table: Table; rows: number; records: number },
  meter: Meter,
): Promise<NonNullable<ImportPlan['open']>> {
  await requireRoomForRows(run.bot, rows * table.factor);
  const { lastId } = await allocateRows({ bot: run.bot, table }, records, { isWrittenNow: false });
  const open = { count: records, lastId };
  await save(run, { ...plan, open }, meter);
  return open;
}

function checkChunk({ table, nowMs }: TableContext, plan: ImportPlan, chunk: readonly ImportRecord[]) {
  const columns = withOriginalNames(table, plan.columns);
  const rows: NumberedRow[] = [];
  const errors: RowError[] = [];
  const patternTests = new PatternTests();
  const unknown = new Set(plan.unknown);
  for (const [index, { line, read }] of chunk.entries()) {
    const checked = checkRecord({ ...table, columns }, read(), { nowMs, patternTests });
    const newWarnings = checked.warnings.filter(text => !unknown.has(text)).slice(0, UNKNOWN_LIMIT - unknown.size);
    for (const text of newWarnings) unknown.add(text);
    const texts = [...newWarnings, ...('fault' in checked ? [checked.fault] : [])];
    errors.push(...texts.map(text => ({ record: plan.records + index + 1, line, text })));
    if ('row' in checked) rows.push({ index, row: checked.row });
  }
  return { rows, ...withErrors(plan, errors), unknown: [...unknown] };
}

type CheckedRecord = { warnings: string[] } & ({ row: Row } | { fault: string });

function checkRecord(
  table: Table,
  reading: ParsedRecord,
  { nowMs, patternTests }: { nowMs: number; patternTests: PatternTests },
): CheckedRecord {
  if ('fault' in reading) return { warnings: [], fault: reading.fault };
  const { set, warnings, errors } = checkRow(table.columns, reading.values, { isNew: true, patternTests });
  if (errors.length > 0) return { warnings, fault: errors.join(' ') };
  const row = newRow(table, set, 0, nowMs);
  const fault = sizeFault(table, row.values);
  return fault ? { warnings, fault } : { warnings, row };
}

const UNKNOWN_LIMIT = 20;

interface RowError {
  record: number;
  line: number;
  text: string;
}
const withErrors = (plan: ImportPlan, errors: readonly RowError[]): ImportPlan => ({
  ...plan,
  errors: errors.reduce(addError, plan.errors),
});

const errorKey = ({ job }: JobRun, { tableName }: ImportPlan) => `tables/${tableName}/import-${job.id}-errors.csv`;

async function putErrors(run: JobRun, plan: ImportPlan): Promise<OutputFile> {
  const key = errorKey(run, plan);
  const object = newOutputObject(run.bot.id, key);
  const bytes = await errorFile(plan.errors);
  return putOutput(run.bot, { key, object, contentType: 'text/csv' }, bytes);
}
