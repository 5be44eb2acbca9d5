/**
 * Adds the rows of a file to a table. They come in chunks: each gets its ids, which are written down with the job, before its
 * rows are written. So a run that follows one that was killed writes the same rows with the same ids, and each is there once.
 */

import { type Row, takeIds } from '#shared/dynamodb/tables/rows.ts';
import { requireTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { ApiError } from '#shared/errors.ts';
import type { Numbered } from '#shared/tables/createRows.ts';
import { columnsNamed } from '#shared/tables/jobs/columnsNamed.ts';
import { insertOnce } from '#shared/tables/jobs/insertOnce.ts';
import { type JobEnd, JobFailure, type JobKind, type JobRun, type OutputFile } from '#shared/tables/jobs/jobRun.ts';
import { newOutputObject } from '#shared/tables/jobs/outputFile.ts';
import { faultOfSize, newRow } from '#shared/tables/newRow.ts';
import type { TableHome } from '#shared/tables/outcome.ts';
import { requireRoomForRows } from '#shared/tables/rowQuota.ts';
import { checkRow } from '#shared/tables/rowValues.ts';
import { addError, errorFile, settleErrors } from './errorLines.ts';
import { ImportPlan } from './importPlan.ts';
import { type ImportRecord, type Meter, openRecords } from './openRecords.ts';
import type { Reading } from './records.ts';

const CHUNK_RECORDS = 500;
const CHUNK_BYTES = 8 * 1024 * 1024;

export const importJob: JobKind = {
  work: importRecords,
  giveUp: async (run, reason) => {
    const plan = run.plan(ImportPlan);
    return putErrors(run, { ...plan, errors: addError(plan.errors, { text: reason }) });
  },
};

async function importRecords(run: JobRun): Promise<JobEnd> {
  let plan = run.plan(ImportPlan);
  const meter = { bytes: 0 };
  const columns = columnsNamed(await requireTable(run.bot.id, run.job.tableId), plan.columns);
  try {
    for await (const chunk of chunksOf(openRecords(plan.file, columns, meter), plan)) {
      plan = await importChunk(run, plan, chunk, meter);
      if (run.isTimeLeft()) continue;
      await run.save(plan, shareOf(plan, meter));
      return 'unfinished';
    }
  } catch (error) {
    // The job ends here, and what was wrong before is told too.
    if (error instanceof JobFailure || error instanceof ApiError) await run.save(plan, shareOf(plan, meter));
    throw error;
  }
  if (plan.errors.lines === 0) return {};
  return { file: await putErrors(run, plan), leftovers: plan.errors.pieces };
}

const shareOf = ({ file }: ImportPlan, { bytes }: Meter) => bytes / Math.max(1, file.size);

/** The records that are not done, so many at a time; first just those that a run before has begun with. */
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

/** @returns the plan with the chunk done, which is yet to be written down: done again it does no harm */
async function importChunk(
  run: JobRun,
  before: ImportPlan,
  chunk: readonly ImportRecord[],
  meter: Meter,
): Promise<ImportPlan> {
  const { bot, job } = run;
  const table = await requireTable(bot.id, job.tableId);
  const home: TableHome = { bot, table, nowMs: Date.now() };
  const { rows, ...checked } = checkChunk(home, before, chunk);
  let plan: ImportPlan = { ...before, ...checked };
  if (rows.length > 0) {
    const open =
      before.open ?? (await openChunk(run, before, { table, rows: rows.length, records: chunk.length }, meter));
    const firstId = open.lastId - open.count + 1;
    const numbered = rows.map(({ index, row }) => ({ index, row: { ...row, id: firstId + index } }));
    const outcome = await insertOnce(home, numbered, before.open !== undefined);
    plan = withErrors(
      plan,
      outcome.errors.map(({ index, text }) => ({
        record: before.records + index + 1,
        line: chunk[index]!.line,
        text,
      })),
    );
  }
  const errors = await settleErrors(plan.errors, () => newOutputObject(bot.id, errorKey(run, plan)));
  return { ...plan, errors, records: before.records + chunk.length, open: undefined };
}

/** Takes the ids of a chunk, one for each record, and writes them down. */
async function openChunk(
  run: JobRun,
  plan: ImportPlan,
  { table, rows, records }: { table: Table; rows: number; records: number },
  meter: Meter,
): Promise<NonNullable<ImportPlan['open']>> {
  await requireRoomForRows(run.bot, rows * table.factor);
  const lastId = await takeIds(run.bot.id, table.id, records);
  const open = { count: records, lastId };
  await run.save({ ...plan, open }, shareOf(plan, meter));
  return open;
}

/** The rows of a chunk that can be, and what is wrong with the others. */
function checkChunk({ table, nowMs }: TableHome, plan: ImportPlan, chunk: readonly ImportRecord[]) {
  const columns = columnsNamed(table, plan.columns);
  const rows: Numbered[] = [];
  const errors: RowError[] = [];
  const unknown = new Set(plan.unknown);
  for (const [index, { line, read }] of chunk.entries()) {
    const checked = checkRecord({ ...table, columns }, read(), nowMs);
    const news = checked.warnings.filter(text => !unknown.has(text)).slice(0, UNKNOWN - unknown.size);
    for (const text of news) unknown.add(text);
    const logMessages = [...news, ...('fault' in checked ? [checked.fault] : [])];
    errors.push(...logMessages.map(text => ({ record: plan.records + index + 1, line, text })));
    if ('row' in checked) rows.push({ index, row: checked.row });
  }
  return { rows, ...withErrors(plan, errors), unknown: [...unknown] };
}

type CheckedRecord = { warnings: string[] } & ({ row: Row } | { fault: string });

function checkRecord(table: Table, reading: Reading, nowMs: number): CheckedRecord {
  if ('fault' in reading) return { warnings: [], fault: reading.fault };
  const { set, warnings, errors } = checkRow(table.columns, reading.values, { isNew: true });
  if (errors.length > 0) return { warnings, fault: errors.join(' ') };
  const row = newRow(table, set, 0, nowMs);
  const fault = faultOfSize(table, row.values);
  return fault ? { warnings, fault } : { warnings, row };
}

/** So many warnings of columns that are not there, each once. */
const UNKNOWN = 20;

interface RowError {
  /** Its number in the file, from 1. */
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
  const { putObject } = await import('#shared/s3/objects.ts');
  await putObject(object, bytes);
  return { key, object, size: bytes.length, contentType: 'text/csv' };
}
