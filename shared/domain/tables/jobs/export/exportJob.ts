/**
 * Exports rows by id as a multipart upload. Every part ends with a whole row and is compressed separately (concatenated
 * gzip members are valid gzip), so a run resumes after the last uploaded part.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { JobHandler, JobRun, OutputFile, RunResult } from '#shared/domain/tables/jobs/jobRun.ts';
import { newOutputObject, putOutput } from '#shared/domain/tables/jobs/outputFile.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { requireStorage } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { stageObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { requireTable, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { abortUpload, completeUpload, MIN_PART_BYTES, putPart, startUpload } from '#shared/storage/s3/multipart.ts';
import { ExportPlan } from './exportPlan.ts';
import { csvText, jsonText } from './exportText.ts';

type Begun = NonNullable<ExportPlan['begun']>;
type Target = NonNullable<ExportPlan['target']>;

export const exportJob: JobHandler = {
  work: async run => {
    const { bot, job } = run;
    const plan = run.plan(ExportPlan);
    const table = await requireTable(bot.id, job.tableId);
    const target = plan.target ?? newTarget(run, plan, table);
    const end = plan.begun?.isWhole
      ? { file: await complete(bot, plan, target, plan.begun) }
      : await writeRows(run, { ...plan, target }, target, table);
    // If the table was deleted meanwhile, the scan may have missed rows.
    if (end !== 'unfinished') await requireTable(bot.id, job.tableId);
    return end;
  },
  giveUp: async run => {
    const { target, begun } = run.plan(ExportPlan);
    if (target && begun) await abortUpload(target.object, begun.uploadId);
    return undefined;
  },
};

function newTarget({ bot, job }: JobRun, { format, isCompressed }: ExportPlan, { name }: Table): Target {
  const key = `tables/${name}/export-${job.id}.${format}${isCompressed ? '.gz' : ''}`;
  return { key, object: newOutputObject(bot.id, key) };
}

async function writeRows(run: JobRun, plan: ExportPlan, target: Target, table: Table): Promise<RunResult> {
  const { bot } = run;
  let { begun } = plan;
  const columns = begun ? columnsAs(table, begun) : table.columns;
  const text = plan.format === 'csv' ? csvText(columns, plan.isRaw) : jsonText(table, columns);
  const output = new PartBuffer(plan.isCompressed);
  if (!begun) await output.add(text.head);
  let isFirst = !begun;
  for await (const row of rowsAfter(bot, table, plan, columns)) {
    await output.add((isFirst ? '' : text.separator) + text.row(row));
    isFirst = false;
    if (output.bytes < partBytes(begun)) continue;
    begun = await putNext(run, target, begun ?? (await startTarget(target, table)), output.take());
    begun.after = row.id;
    await run.save({ ...plan, begun }, row.id / plan.lastId);
    if (!run.isTimeLeft()) return 'unfinished';
  }
  await output.add(text.tail, true);
  const rest = output.take();
  if (!begun) return { file: await putWhole(run, plan, target, rest) };
  const whole = { ...(rest.length > 0 ? await putNext(run, target, begun, rest) : begun), isWhole: true };
  await run.save({ ...plan, begun: whole }, 1, { status: 'finalizing' });
  return { file: await complete(bot, plan, target, whole) };
}

const columnsAs = (table: Table, { columns }: Begun): Column[] =>
  columns.map(([id, name]) => ({
    ...(table.columns.find(column => column.id === id) ?? { id, type: 'null', nullable: true }),
    name,
  }));

const rowsAfter = (bot: Bot, table: Table, { lastId, begun }: ExportPlan, columns: readonly Column[]) => {
  const from = (begun?.after ?? 0) + 1;
  if (from > lastId) return [];
  const ids = columns.map(({ id }) => id);
  return rowsInOrder(bot.id, table.id, lastId, { from, to: lastId, direction: 'asc', columns: ids });
};

/** Part sizes grow, so the list of parts fits into the job's item and below S3's limit of 10,000 parts. */
const PARTS_PER_SIZE = 200;
const partBytes = (begun: Begun | undefined) =>
  MIN_PART_BYTES * (1 + Math.floor((begun?.parts.length ?? 0) / PARTS_PER_SIZE));

async function startTarget({ object }: Target, { columns }: Table): Promise<Begun> {
  const uploadId = await startUpload(object);
  return { uploadId, columns: columns.map(({ id, name }) => [id, name]), parts: [], after: 0, isWhole: false };
}

/** Numbers the part by the job version that records it, so no two runs upload the same part. */
async function putNext({ job }: JobRun, { object }: Target, begun: Begun, body: Buffer): Promise<Begun> {
  const part = await putPart(object, begun.uploadId, job.version + 1, body);
  return { ...begun, parts: [...begun.parts, part] };
}

async function putWhole(run: JobRun, plan: ExportPlan, target: Target, bytes: Buffer): Promise<OutputFile> {
  await run.save(plan, 1, { status: 'finalizing' });
  return putOutput(run.bot, { ...target, contentType: typeOf(plan) }, bytes);
}

async function complete(
  bot: Bot,
  plan: ExportPlan,
  { key, object }: Target,
  { uploadId, parts }: Begun,
): Promise<OutputFile> {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  await requireStorage(bot, size);
  // Required even if an earlier run completed the upload: the write that unstages the object checks for the stage.
  await stageObject(object);
  await completeUpload(object, uploadId, parts);
  return { key, object, size, contentType: typeOf(plan) };
}

const TYPES = { csv: 'text/csv', json: 'application/json' };
const typeOf = ({ format, isCompressed }: ExportPlan) => (isCompressed ? 'application/gzip' : TYPES[format]);

const compress = promisify(gzip);
const BLOCK_CHARS = 1024 * 1024;

class PartBuffer {
  readonly #isCompressed: boolean;
  #texts: string[] = [];
  #chars = 0;
  #blocks: Buffer[] = [];
  bytes = 0;

  constructor(isCompressed: boolean) {
    this.#isCompressed = isCompressed;
  }

  async add(text: string, isLast = false): Promise<void> {
    this.#texts.push(text);
    this.#chars += text.length;
    if (this.#chars < BLOCK_CHARS && !isLast) return;
    const bytes = Buffer.from(this.#texts.join(''));
    this.#texts = [];
    this.#chars = 0;
    if (bytes.length === 0) return;
    const block = this.#isCompressed ? await compress(bytes) : bytes;
    this.#blocks.push(block);
    this.bytes += block.length;
  }

  take(): Buffer {
    const taken = Buffer.concat(this.#blocks);
    this.#blocks = [];
    this.bytes = 0;
    return taken;
  }
}
