/**
 * Jobs on tables, a run at a time: each works until its time is nearly up, writes down how far it is, and has the job come
 * again. One that is killed comes again by itself, and goes on where it last wrote that down.
 */

import { changeJob, findJob, Superseded, type TableJob } from '#shared/dynamodb/tables/jobs.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { ApiError } from '#shared/errors.ts';
import { errorFields, log } from '#shared/log.ts';
import { type TableJobMessage, enqueueTableJob } from '#shared/queues/tableJobs.ts';
import { deleteJob } from './delete/deleteJob.ts';
import { duplicateJob } from './duplicate/duplicateJob.ts';
import { exportJob } from './export/exportJob.ts';
import { importJob } from './import/importJob.ts';
import { type RunResult, JobFailure, type JobHandler, JobRun, type OutputFile } from './jobRun.ts';
import { registerFile } from './outputFile.ts';
import { refreshJob } from './refresh/refreshJob.ts';

/** So often a run may begin without getting any further. The last does no more than say that it failed. */
const LAST_TRY = QUEUES.tableJobs.maxReceives - 1;
/** Whoever finds another at work looks after the job later: should the other be killed, nobody else may come. */
const CHECK_BACK_SECONDS = 900;

const HANDLERS: Partial<Record<TableJob['type'], JobHandler>> = {
  export: exportJob,
  import: importJob,
  duplicate_table: duplicateJob,
  delete_rows: deleteJob,
  refresh: refreshJob,
};

export type JobOutcome = 'completed' | 'failed' | 'unfinished' | 'superseded' | 'gone';

/**
 * @param attempt from 1, counted for the message: what fails for no fault of the job is thrown, to be tried again
 * @param isTimeLeft whether another step may begin; the first of a run always does
 */
export async function runJob(
  message: TableJobMessage,
  { attempt, isTimeLeft }: { attempt: number; isTimeLeft: () => boolean },
): Promise<JobOutcome> {
  const job = await findActiveJob(message);
  if (!job) return 'gone';
  // It got further before it was killed: then it is not given up.
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
    log.error('A job on a table failed.', { jobId: job.id, type: job.type, error: errorFields(error) });
    return fail(run, reason ?? INTERNAL_FAILURE).catch(failing => {
      if (failing instanceof Superseded) return checkBackLater(message);
      throw failing;
    });
  }
}

const INTERNAL_FAILURE =
  'Something failed on our side, several times in a row. What was done until then stays; start the job again.';

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

/** What whoever asked for the job can do something about; undefined for what is our own to deal with. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof JobFailure) return error.message;
  return error instanceof ApiError && error.status < 500 ? error.message : undefined;
}

/** Writes down that it is done, in one with the file that it made. */
async function complete(run: JobRun, { file, reason, leftovers = [] }: Exclude<RunResult, 'unfinished'>): Promise<void> {
  try {
    await end(run, { status: 'completed', progress: 100, ...(reason === undefined ? {} : { reason }) }, file);
  } catch (error) {
    // There is no room for the file.
    if (file && reasonOf(error) !== undefined) await deleteObjects([file.object]);
    throw error;
  }
  await deleteObjects(leftovers);
}

async function fail(run: JobRun, reason: string): Promise<'failed'> {
  const file = await HANDLERS[run.job.type]!.giveUp?.(run, reason).catch(error => {
    log.error('What a job leaves behind could not be tidied up.', { jobId: run.job.id, error: errorFields(error) });
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
  return 'failed';
}

/** @throws Superseded */
const end = (run: JobRun, change: Partial<TableJob>, output: OutputFile | undefined): Promise<void> =>
  retryConflicts(async () => {
    const nowMs = Date.now();
    const file = output && (await registerFile(run.bot, output, nowMs));
    const ended = { ...change, plan: '{}', ...(file ? { outputFileId: file.id } : {}) };
    await write([changeJob(run.job, ended, nowMs).write, ...(file?.writes ?? [])]);
  });

/** What is not deleted goes with the bot. */
async function deleteObjects(objects: readonly string[]): Promise<void> {
  const { deleteObject } = await import('#shared/s3/objects.ts');
  await Promise.allSettled(objects.map(deleteObject));
}
