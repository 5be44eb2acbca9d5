/** Jobs are items beside their table. Optimistic locking supersedes one of two concurrent runs. */
import * as z from 'zod/mini';
import { encodeTime, newPosition, newRecordId } from '#shared/core/ids.ts';
import { prefixQuery, queryAll, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tableJobKey, tableJobPrefix, tablePk } from '#shared/storage/dynamodb/keys/tables.ts';

/** The contract's types and the internal `refresh`. `clear_column` and `clear_vectors` are never created. */
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
  position: z.string(),
  type: z.enum(TYPES),
  status: z.enum(JOB_STATUSES),
  progress: z.number(),
  inputFileId: z.optional(z.string()),
  outputFileId: z.optional(z.string()),
  reason: z.optional(z.string()),
  plan: z.string(),
  /** Checkpoints with progress, see `tables/jobs/runJob.ts`. */
  steps: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
  ttl: z.optional(z.number()),
});
export type TableJob = z.infer<typeof TableJob>;

export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The write fails with {@link WriteConflict} if the position is taken. */
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

export const jobPositionForVersion = (updatedAtMs: number, version: number) =>
  `${encodeTime(updatedAtMs)}${encodeTime(version).slice(-3)}`;

export async function findJob(botId: string, tableId: string, position: string): Promise<TableJob | undefined> {
  const item = await readItem(tableJobKey(botId, tableId, position));
  return item && TableJob.parse(item);
}

const LIST_LIMIT = 100;

export async function listJobs(botId: string, tableId: string): Promise<TableJob[]> {
  const jobs: TableJob[] = [];
  const query = {
    ...prefixQuery(tablePk(botId, tableId), tableJobPrefix),
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

const RETENTION_SECONDS = 30 * 24 * 3600;
const isFinished = ({ status }: Pick<TableJob, 'status'>) => status === 'completed' || status === 'failed';

/** The write fails with {@link Superseded} if the job was changed or deleted. */
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
