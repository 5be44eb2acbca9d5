/**
 * The runtime of queue consumers: one job at a time. A job that fails returns to its queue, with a pause that doubles,
 * and is parked after the last attempt, with its error. The dead-letter queue receives only what crashed the function
 * itself.
 */

import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { pauseAfter } from '#shared/storage/queues/backoff.ts';
import { retryAfter } from '#shared/storage/queues/queue.ts';
import { QUEUES, type QueueName } from '#shared/storage/queues/settings.ts';
import { queueUrlOf } from '#shared/storage/queues/urls.ts';
import { parkJob } from './park.ts';

/** One attempt at a job. */
export interface JobRun {
  /** Counted from 1. */
  attempt: number;
  isLast: boolean;
  /** Until the function times out. */
  timeLeftMs(): number;
}

/**
 * Asks for another attempt, unless there was the last. The job has recorded its failure itself, so it is never parked.
 */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}

interface Declared<Job> {
  name: string;
  queue: QueueName;
  job: z.ZodMiniType<Job>;
  run(job: Job, attempt: JobRun): Promise<Record<string, unknown>>;
}

export async function runJobs<Job>(consumer: Declared<Job>, { Records }: SQSEvent, context: Context): Promise<void> {
  for (const record of Records) await runJob(consumer, record, context);
}

async function runJob<Job>({ name, queue, job, run }: Declared<Job>, record: SQSRecord, context: Context) {
  const { body, attributes, receiptHandle } = record;
  const attempt = Number(attributes?.ApproximateReceiveCount ?? 1);
  const isLast = attempt >= QUEUES[queue].maxReceives;
  const startedMs = clock.now();
  const group = attributes?.MessageGroupId;
  try {
    const parsed = job.safeParse(parseJson(body));
    if (!parsed.success) return await parkJob({ consumer: name, queue, body, group, error: parsed.error });
    const timeLeftMs = () => context.getRemainingTimeInMillis();
    const fields = await run(parsed.data, { attempt, isLast, timeLeftMs });
    log.info('Processed a job.', { operation: name, ...fields, attempt, ms: clock.now() - startedMs });
  } catch (error) {
    log.warn('A job failed.', {
      operation: name,
      body,
      attempt,
      error: errorFields(error),
      ...measured({ jobFailures: 1 }, [['operation']]),
    });
    if (isLast) {
      if (!(error instanceof TryAgain)) await parkJob({ consumer: name, queue, body, group, error });
      return;
    }
    // No function waits for the next attempt: the queue does. In a FIFO queue the rest of the group waits with it.
    await retryAfter(queueUrlOf(queue), receiptHandle, pauseAfter(attempt));
    throw error;
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
