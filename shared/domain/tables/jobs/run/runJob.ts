/**
 * Near its time limit, a run writes a checkpoint and enqueues the job again. If a run is killed, the queue redelivers
 * its message and the next run resumes at the last checkpoint.
 */

import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { deleteJob } from '#shared/domain/tables/jobs/delete/deleteJob.ts';
import { duplicateJob } from '#shared/domain/tables/jobs/duplicate/duplicateJob.ts';
import { exportJob } from '#shared/domain/tables/jobs/export/exportJob.ts';
import { importJob } from '#shared/domain/tables/jobs/import/importJob.ts';
import {
  JobFailure,
  type JobHandler,
  JobRun,
  type OutputFile,
  type RunResult,
} from '#shared/domain/tables/jobs/jobRun.ts';
import { registerFile } from '#shared/domain/tables/jobs/outputFile.ts';
import { refreshJob } from '#shared/domain/tables/jobs/refresh/refreshJob.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeJob, findJob, Superseded, type TableJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { enqueueTableJob, type TableJobMessage } from '#shared/storage/queues/tableJobs.ts';

/** Last attempt without progress. The next one only marks the job as failed. */
const LAST_TRY = QUEUES.tableJobs.maxReceives - 1;
/**
 * A superseded run enqueues the job again with a delay, because the other run may be killed on its message's last
 * delivery.
 */
const CHECK_BACK_SECONDS = 900;

const HANDLERS: Partial<Record<TableJob['type'], JobHandler>> = {
  export: exportJob,
  import: importJob,
  duplicate_table: duplicateJob,
  delete_rows: deleteJob,
  refresh: refreshJob,
};

export type JobOutcome = 'completed' | 'failed' | 'unfinished' | 'superseded' | 'gone';

/** @throws errors that the job's owner cannot fix, so the queue redelivers the message */
export async function runJob(
  message: TableJobMessage,
  { attempt, isTimeLeft }: { attempt: number; isTimeLeft: () => boolean },
): Promise<JobOutcome> {
  const job = await findActiveJob(message);
  if (!job) return 'gone';
  // The killed run made progress: reset the attempt count.
  if (attempt > 1 && job.steps > message.steps) return requeue(job);
  const bot = await findBot(job.botId);
  if (!bot || bot.deletedAtMs !== undefined) return 'gone';
  const run = new JobRun(bot, job, isTimeLeft);
  try {
    await run.claim();
    if (attempt > LAST_TRY) throw new JobFailure(INTERNAL_FAILURE);
    const end = await HANDLERS[job.type]!.work(run);
    if (end === 'unfinished') return await requeue(run.job);
    await complete(run, end);
    return 'completed';
  } catch (error) {
    if (error instanceof Superseded) return checkBackLater(message);
    const reason = reasonOf(error);
    if (reason === undefined && attempt < LAST_TRY) throw error;
    log.error('A table job failed.', { jobId: job.id, type: job.type, error: errorFields(error) });
    return fail(run, reason ?? INTERNAL_FAILURE).catch(failing => {
      if (failing instanceof Superseded) return checkBackLater(message);
      throw failing;
    });
  }
}

const INTERNAL_FAILURE =
  'The job failed repeatedly because of a fault on our side. Its work so far is kept. Start the job again.';

async function findActiveJob({ botId, tableId, position }: TableJobMessage): Promise<TableJob | undefined> {
  const job = await findJob(botId, tableId, position);
  return job?.status === 'completed' || job?.status === 'failed' ? undefined : job;
}

async function requeue(job: TableJob, delaySeconds = 0): Promise<'unfinished'> {
  const { botId, tableId, position, steps } = job;
  await enqueueTableJob({ botId, tableId, position, steps }, delaySeconds);
  return 'unfinished';
}

async function checkBackLater(message: TableJobMessage): Promise<'superseded'> {
  const job = await findActiveJob(message);
  if (job) await requeue(job, CHECK_BACK_SECONDS);
  return 'superseded';
}

/** Returns undefined for errors that the job's owner cannot fix. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof JobFailure) return error.message;
  return error instanceof ApiError && error.status < 500 ? error.message : undefined;
}

async function complete(
  run: JobRun,
  { file, reason, leftovers = [] }: Exclude<RunResult, 'unfinished'>,
): Promise<void> {
  try {
    await end(run, { status: 'completed', progress: 100, ...(reason === undefined ? {} : { reason }) }, file);
  } catch (error) {
    // The storage quota is exhausted.
    if (file && reasonOf(error) !== undefined) await deleteObjects([file.object]);
    throw error;
  }
  await deleteObjects(leftovers);
}

async function fail(run: JobRun, reason: string): Promise<'failed'> {
  const handler = HANDLERS[run.job.type]!;
  const leftovers = handler.leftovers?.(run) ?? [];
  const file = await handler.giveUp?.(run, reason).catch(error => {
    if (reasonOf(error) !== undefined) return undefined;
    log.error('Failed to clean up after a failed job.', { jobId: run.job.id, error: errorFields(error) });
    return undefined;
  });
  const change = { status: 'failed', reason } as const;
  try {
    await end(run, change, file);
  } catch (error) {
    if (!file || reasonOf(error) === undefined) throw error;
    await deleteObjects([file.object]);
    await end(run, change, undefined);
  }
  await deleteObjects(leftovers);
  return 'failed';
}

const end = (run: JobRun, change: Partial<TableJob>, output: OutputFile | undefined): Promise<void> =>
  retryConflicts(async () => {
    const nowMs = clock.now();
    const file = output && (await registerFile(run.bot, output, nowMs));
    const ended = { ...change, plan: '{}', ...(file ? { outputFileId: file.id } : {}) };
    await write([changeJob(run.job, ended, nowMs).write, ...(file?.writes ?? [])]);
  });

/** Ignores failures: staged objects are swept, and all other objects are deleted with the bot. */
async function deleteObjects(objects: readonly string[]): Promise<void> {
  const { deleteObject } = await import('#shared/storage/s3/objects.ts');
  await Promise.allSettled(objects.map(deleteObject));
}
