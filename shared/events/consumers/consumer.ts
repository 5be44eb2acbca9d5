import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import { errorFields, log } from '#shared/core/log.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';
import type { ObjectAccess } from '#shared/storage/s3/objectAccess.ts';
import { changed, mergeFilters, type StreamFilter } from './filters.ts';
import type { Reaction } from './reaction.ts';
import { type JobRun, runJobs } from './runJobs.ts';
import { runReactions } from './runReactions.ts';

export interface ConsumerAccess {
  table: 'reads' | 'writes';
  partitions?: TableAccess;
  /** Scans the lists of all tenants. */
  scansLists?: true;
  objects?: ObjectAccess;
  /** Access to the search indexes. `removes` excludes reading and embedding. */
  index?: 'writes' | 'removes';
  largeValues?: 'reads' | 'writes';
  callsEndpoints?: boolean;
  model?: 'invokes';
  /** Creates and deletes the functions of deployed code. Consumers that call endpoints may call these, too. */
  code?: 'deploys';
  /** Seals or opens stored secrets. Consumers that call endpoints sign with them. */
  secrets?: 'opens';
  sends?: readonly QueueName[];
  /** Sends to WebSocket connections and closes them. */
  connections?: 'sends';
}

interface Declaration extends ConsumerAccess {
  name: string;
  summary: string;
}

export interface StreamConsumer extends Declaration {
  reactions: readonly Reaction[];
  trigger: { stream: readonly StreamFilter[]; windowSeconds: number; concurrentBatches: number };
  handle(event: DynamoDBStreamEvent, context: Context): Promise<void>;
}

export interface QueueConsumer extends Declaration {
  trigger: { queue: QueueName };
  memoryMb?: number;
  handle(event: SQSEvent, context: Context): Promise<void>;
}

export interface ScheduleConsumer extends Declaration {
  /** Deployed only if the operator's settings enable it, at their interval. */
  isOptional?: true;
  trigger: { everyMinutes: number };
  handle(event: unknown, context: Context): Promise<void>;
}

export type Consumer = StreamConsumer | QueueConsumer | ScheduleConsumer;

/**
 * Declares a consumer of the table's stream. A change that a reaction cannot handle becomes a dead letter
 * (`runReactions.ts`).
 */
export function streamConsumer({
  reactions,
  windowSeconds = 0,
  concurrentBatches = 1,
  ...declared
}: Omit<Declaration, 'partitions'> & {
  reactions: readonly Reaction[];
  /** Batching window. It saves writes for reactions that write once per batch. */
  windowSeconds?: number;
  /** Concurrent batches per shard, up to 10. More batches keep one tenant's backlog from delaying other tenants. */
  concurrentBatches?: number;
}): StreamConsumer {
  return {
    ...declared,
    reactions,
    trigger: {
      stream: mergeFilters([...reactions.flatMap(({ on }) => on), DEAD_LETTERS]),
      windowSeconds,
      concurrentBatches,
    },
    handle: (event, context) => runReactions({ name: declared.name, reactions }, event, context),
  };
}
const DEAD_LETTERS = changed('deadLetter');

/**
 * Declares a consumer of a queue. Failed jobs are retried with exponential backoff, then become dead letters
 * (`runJobs.ts`).
 */
export function queueConsumer<Job>({
  queue,
  job,
  run,
  ...declared
}: Declaration & {
  queue: QueueName;
  memoryMb?: number;
  /** Schema of a job. A job that does not match becomes a dead letter immediately. */
  job: z.ZodMiniType<Job>;
  /** Returns the fields of its log line, or undefined for none. */
  run(job: Job, attempt: JobRun): Promise<Record<string, unknown> | undefined>;
}): QueueConsumer {
  return {
    ...declared,
    trigger: { queue },
    handle: (event, context) => runJobs({ name: declared.name, queue, job, run }, event, context),
  };
}

/** Declares a scheduled consumer. A failed run is not retried, because the next run resumes its work. */
export function scheduleConsumer({
  everyMinutes,
  run,
  ...declared
}: Declaration & {
  everyMinutes: number;
  isOptional?: true;
  run(isTimeLeft: () => boolean): Promise<Record<string, unknown>>;
}): ScheduleConsumer {
  return {
    ...declared,
    trigger: { everyMinutes },
    handle: async (_, context) => {
      const isTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS;
      try {
        log.info('Ran on schedule.', { operation: declared.name, ...(await run(isTimeLeft)) });
      } catch (error) {
        log.error('A scheduled run failed.', { operation: declared.name, error: errorFields(error) });
        throw error;
      }
    },
  };
}
/** Reserve for the step in progress when a scheduled run's time is up. */
const RESERVE_MS = 10_000;
