/**
 * Jobs on the tables that bots keep: each an item beside its table, which its stream sets going. It holds what is to be done
 * and how far that is, and changes by a version, so that of two who work on it at the same time one goes on.
 */
import * as z from 'zod/mini';
import { tableJobKey, tableJobPrefix, tablePk } from '#shared/dynamodb/keys/tables.ts';
import { queryAll, readItem, startingWith } from '#shared/dynamodb/query.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { encodeTime, newPosition, newRecordId } from '#shared/ids.ts';

/** The contract's, of which we have no jobs of `clear_column` and `clear_vectors`; and what nobody is shown. */
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
  /** By which it is found beside its table. */
  position: z.string(),
  type: z.enum(TYPES),
  status: z.enum(JOB_STATUSES),
  /** From 0 to 100, which it is only when it is done. */
  progress: z.number(),
  inputFileId: z.optional(z.string()),
  outputFileId: z.optional(z.string()),
  /** Why it failed, or what it left out. */
  reason: z.optional(z.string()),
  /** JSON text: what is to be done, and how far that is. */
  plan: z.string(),
  /** Counts what was done of it; see `tables/jobs/runJob.ts`. */
  steps: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
  /** Seconds since 1970: when one that has ended goes. */
  ttl: z.optional(z.number()),
});
export type TableJob = z.infer<typeof TableJob>;

/** Somebody else has worked on the job meanwhile: it is his. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** A job that is to be done. @param plan becomes JSON. A WriteConflict where the position is taken */
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

/** The position of a job that follows from a version of its table, so that it is created once. */
export const positionOfVersion = (updatedAtMs: number, version: number) =>
  `${encodeTime(updatedAtMs)}${encodeTime(version).slice(-3)}`;

export async function findJob(botId: string, tableId: string, position: string): Promise<TableJob | undefined> {
  const item = await readItem(tableJobKey(botId, tableId, position));
  return item && TableJob.parse(item);
}

const LISTED = 100;

/** The newest hundred of those that somebody asked for, newest first. */
export async function listJobs(botId: string, tableId: string): Promise<TableJob[]> {
  const jobs: TableJob[] = [];
  const query = { ...startingWith(tablePk(botId, tableId), tableJobPrefix), ScanIndexForward: false, Limit: LISTED };
  for await (const item of queryAll({ ...query, ConsistentRead: true })) {
    const job = TableJob.parse(item);
    if (job.type !== 'refresh') jobs.push(job);
    if (jobs.length === LISTED) break;
  }
  return jobs;
}

/** One that has ended can be looked at for so long. */
const KEPT_SECONDS = 30 * 24 * 3600;
const hasEnded = ({ status }: Pick<TableJob, 'status'>) => status === 'completed' || status === 'failed';

/** The next version of a job. Refused with {@link Superseded} where there is one already, or the job is gone. */
export function changeJob(before: TableJob, change: Partial<TableJob>, nowMs: number): { job: TableJob; write: Write } {
  const changed = {
    ...before,
    ...change,
    version: before.version + 1,
    updatedAtMs: Math.max(nowMs, before.updatedAtMs),
  };
  const job: TableJob = hasEnded(changed) ? { ...changed, ttl: Math.floor(nowMs / 1000) + KEPT_SECONDS } : changed;
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
