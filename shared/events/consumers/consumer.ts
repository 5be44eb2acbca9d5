/**
 * Consumers: what happens after an answer. Each is declared once, like an operation: its source (the table's stream, a
 * queue, a schedule), the schema of its jobs, its access, and the handler of one change or job. Parsing, attempts,
 * isolation, parking and logging follow from the declaration, in the cloud and on one machine alike: `handle` is the
 * Lambda handler.
 */
import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import { errorFields, log } from '#shared/core/log.ts';
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';
import type { QueueName } from '#shared/storage/queues/settings.ts';
import { changed, mergeFilters, type StreamFilter } from './filters.ts';
import type { Reaction } from './reaction.ts';
import { type JobRun, runJobs } from './runJobs.ts';
import { runReactions } from './runReactions.ts';

export interface ConsumerAccess {
  table: 'reads' | 'writes';
  /** Table access. A stream consumer also has the access of its reactions. */
  partitions?: TableAccess;
  /**
   * Access to the object store: reads code; deletes single objects; deletes everything of a tenant; reads files;
   * accepts uploads; also deletes unexpected ones; reads, writes and deletes files; makes snapshots of tables; puts
   * everything of a workspace into an archive.
   */
  objects?:
    | 'readsCode'
    | 'deletes'
    | 'sweeps'
    | 'checksFiles'
    | 'settlesUploads'
    | 'receivesUploads'
    | 'runsTableJobs'
    | 'makesSnapshots'
    | 'archives';
  /** Writes to the search index. */
  index?: 'writes';
  /** Reads or writes values that may be too large for an item. */
  largeValues?: 'reads' | 'writes';
  /** Calls the endpoints of bots and integrations. */
  callsEndpoints?: boolean;
  /** Calls the language model, if one is configured. */
  model?: 'asks';
  /** Makes and removes the functions of deployed code. What calls endpoints calls these functions too. */
  code?: 'deploys';
  /** Seals or opens stored secrets; whatever calls endpoints signs with them. */
  secrets?: 'opens';
  /** The queues it sends jobs to, or postpones jobs of. */
  sends?: readonly QueueName[];
}

interface Declaration extends ConsumerAccess {
  name: string;
  summary: string;
}

export interface StreamConsumer extends Declaration {
  reactions: readonly Reaction[];
  trigger: { stream: readonly StreamFilter[]; windowSeconds: number; batchesAtOnce: number };
  handle(event: DynamoDBStreamEvent, context: Context): Promise<void>;
}

export interface QueueConsumer extends Declaration {
  trigger: { queue: QueueName };
  /** Of a function that needs more than the default, in MB. */
  memoryMb?: number;
  handle(event: SQSEvent, context: Context): Promise<void>;
}

export interface ScheduleConsumer extends Declaration {
  /** Runs only where the operator's settings want it, and as often as they say. */
  isOptional?: true;
  trigger: { everyMinutes: number };
  handle(event: unknown, context: Context): Promise<void>;
}

export type Consumer = StreamConsumer | QueueConsumer | ScheduleConsumer;

/**
 * A consumer of the table's stream: a table of reactions, each to some kinds of changes. A change that a reaction
 * cannot handle is parked, and everything else goes on (`runReactions.ts`).
 */
export function streamConsumer({
  reactions,
  windowSeconds = 0,
  batchesAtOnce = 1,
  ...declared
}: Omit<Declaration, 'partitions'> & {
  reactions: readonly Reaction[];
  /** Gathers changes for so long, where nobody waits: what is written once a batch is then written less often. */
  windowSeconds?: number;
  /**
   * How many batches of a shard run at a time, up to 10. Partitions are spread over them, so that few wait behind one
   * tenant's backlog.
   */
  batchesAtOnce?: number;
}): StreamConsumer {
  return {
    ...declared,
    reactions,
    trigger: {
      stream: mergeFilters([...reactions.flatMap(({ on }) => on), PARKED]),
      windowSeconds,
      batchesAtOnce,
    },
    handle: (event, context) => runReactions({ name: declared.name, reactions }, event, context),
  };
}
/** An operator, or a bot's member, has asked to repeat what is parked. */
const PARKED = changed('parked');

/**
 * A consumer of a queue, which handles one job at a time. A job that fails is tried again after a pause that doubles,
 * as often as the queue's settings say, and is then parked (`runJobs.ts`).
 */
export function queueConsumer<Job>({
  queue,
  job,
  run,
  ...declared
}: Declaration & {
  queue: QueueName;
  memoryMb?: number;
  /** The schema of a job; one that does not match is parked at once. */
  job: z.ZodMiniType<Job>;
  /** Handles one job. @returns fields for the log */
  run(job: Job, attempt: JobRun): Promise<Record<string, unknown>>;
}): QueueConsumer {
  return {
    ...declared,
    trigger: { queue },
    handle: (event, context) => runJobs({ name: declared.name, queue, job, run }, event, context),
  };
}

/** A consumer that runs every few minutes. A run that fails is not repeated: the next one finds what it left. */
export function scheduleConsumer({
  everyMinutes,
  run,
  ...declared
}: Declaration & {
  everyMinutes: number;
  isOptional?: true;
  /** @param isTimeLeft whether another step may be started @returns fields for the log */
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
/** Left for the step in progress when a scheduled run's time is up. */
const RESERVE_MS = 10_000;
