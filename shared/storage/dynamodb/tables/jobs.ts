/**
 * Jobs on tables. A job is an item beside its table, started by the stream, that holds a plan and its progress. Its
 * version guards every write: of two runs at the same time, one continues and the other is superseded.
 */
import * as z from 'zod/mini';
import { encodeTime, newPosition, newRecordId } from '#shared/core/ids.ts';
import { tableJobKey, tableJobPrefix, tablePk } from '#shared/storage/dynamodb/keys/tables.ts';
import { queryAll, readItem, startingWith } from '#shared/storage/dynamodb/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';

/**
 * The types of the contract, of which `clear_column` and `clear_vectors` are never created, and the internal `refresh`.
 */
const TYPES = [
  'export',
  'import',
  'clear_column',
  'clear_vectors',
  'delete_rows',
  'duplicate_table',
  'refresh',
] as const;
export const JOB_STATUSES = ['pending', 'in_progress', 'finalizing', 'completed', 'failed'] as const;

const TableJob = z.object({
  id: z.string(),
  botId: z.string(),
  tableId: z.string(),
  /** Its sort key below the table. */
  position: z.string(),
  type: z.enum(TYPES),
  status: z.enum(JOB_STATUSES),
  /** 0 to 100; 100 only when the job is completed. */
  progress: z.number(),
  inputFileId: z.optional(z.string()),
  outputFileId: z.optional(z.string()),
  /** Why the job failed, or what it left out. */
  reason: z.optional(z.string()),
  /** JSON: the work to do and how far it got. Each type of job has its own schema. */
  plan: z.string(),
  /** Counts the checkpoints that made progress; see `tables/jobs/runJob.ts`. */
  steps: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
  /** Seconds since 1970: when a finished job expires. */
  ttl: z.optional(z.number()),
});
export type TableJob = z.infer<typeof TableJob>;

/** Another run has taken over the job. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * A new job.
 * @param plan is stored as JSON. The write is refused with a {@link WriteConflict} when the position is taken
 */
export function newJob(
  { botId, tableId }: { botId: string; tableId: string },
  { plan, position = newPosition(), ...fields }: Pick<TableJob, 'type' | 'inputFileId'> & NewJob,
  nowMs: number,
): { job: TableJob; write: Write } {
  const job: TableJob = {
    id: newRecordId('tjob', nowMs),
    botId,
    tableId,
    position,
    ...fields,
    status: 'pending',
    progress: 0,
    plan: JSON.stringify(plan),
    steps: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  };
  const put: Write = {
    put: {
      Item: { ...tableJobKey(botId, tableId, position), ...job },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new WriteConflict(),
  };
  return { job, write: put };
}
interface NewJob {
  plan: unknown;
  position?: string;
}

/** The position of a job that a version of its table causes: deterministic, so that the job is created once. */
export const jobPositionForVersion = (updatedAtMs: number, version: number) =>
  `${encodeTime(updatedAtMs)}${encodeTime(version).slice(-3)}`;

export async function findJob(botId: string, tableId: string, position: string): Promise<TableJob | undefined> {
  const item = await readItem(tableJobKey(botId, tableId, position));
  return item && TableJob.parse(item);
}

const LIST_LIMIT = 100;

/** The newest hundred jobs that callers started, newest first. */
export async function listJobs(botId: string, tableId: string): Promise<TableJob[]> {
  const jobs: TableJob[] = [];
  const query = {
    ...startingWith(tablePk(botId, tableId), tableJobPrefix),
    ScanIndexForward: false,
    Limit: LIST_LIMIT,
  };
  for await (const item of queryAll({ ...query, ConsistentRead: true })) {
    const job = TableJob.parse(item);
    if (job.type !== 'refresh') jobs.push(job);
    if (jobs.length === LIST_LIMIT) break;
  }
  return jobs;
}

/** How long a finished job stays visible. */
const RETENTION_SECONDS = 30 * 24 * 3600;
const isFinished = ({ status }: Pick<TableJob, 'status'>) => status === 'completed' || status === 'failed';

/** The next version of a job. The write is refused with {@link Superseded} when the job has changed or is gone. */
export function changeJob(before: TableJob, change: Partial<TableJob>, nowMs: number): { job: TableJob; write: Write } {
  const changed = {
    ...before,
    ...change,
    version: before.version + 1,
    updatedAtMs: Math.max(nowMs, before.updatedAtMs),
  };
  const job: TableJob = isFinished(changed)
    ? { ...changed, ttl: Math.floor(nowMs / 1000) + RETENTION_SECONDS }
    : changed;
  const put: Write = {
    put: {
      Item: { ...tableJobKey(job.botId, job.tableId, job.position), ...job },
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': before.version },
    },
    onRefused: () => new Superseded(),
  };
  return { job, write: put };
}
