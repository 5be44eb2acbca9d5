import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { pauseAfter } from '#shared/storage/queues/backoff.ts';
import { QUEUES, type QueueName } from '#shared/storage/queues/queueSettings.ts';
import { queueUrlOf } from '#shared/storage/queues/urls.ts';
import { keepJob } from './keepDeadLetter.ts';

export interface JobRun {
  attempt: number;
  isLast: boolean;
  timeLeftMs(): number;
}

/**
 * Error that requests another attempt. It leaves no dead letter after the last one, because the job recorded its
 * failure.
 */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}

interface Declared<Job> {
  name: string;
  queue: QueueName;
  job: z.ZodMiniType<Job>;
  run(job: Job, attempt: JobRun): Promise<Record<string, unknown> | undefined>;
}

/** Handles jobs one at a time. The dead-letter queue only receives jobs that crash the function itself. */
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
    if (!parsed.success) return await keepJob({ consumer: name, queue, body, group, error: parsed.error });
    const timeLeftMs = () => context.getRemainingTimeInMillis();
    const fields = await run(parsed.data, { attempt, isLast, timeLeftMs });
    if (fields) log.info('Processed a job.', { operation: name, ...fields, attempt, ms: clock.now() - startedMs });
  } catch (error) {
    log.warn('A job failed.', {
      operation: name,
      body,
      attempt,
      error: errorFields(error),
      ...measured({ jobFailures: 1 }),
    });
    if (isLast) {
      if (!(error instanceof TryAgain)) await keepJob({ consumer: name, queue, body, group, error });
      return;
    }
    // The queue waits, not the function. In a FIFO queue, the rest of the group waits as well.
    const { retryAfter } = await import('#shared/storage/queues/queue.ts');
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
