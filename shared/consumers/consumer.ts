/** What reacts to something that happened, rather than to a call. Declared once, like an operation. */
import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';

/** One pattern of the event source's filter: what matches none does not start the function. */
export type StreamFilter = Record<string, unknown>;

export interface ConsumerAccess {
  table: 'reads' | 'writes';
  /**
   * Deletes single objects, or finds and deletes all of a tenant; reads files, and deletes what was uploaded in vain; reads,
   * writes and deletes files.
   */
  objects?: 'deletes' | 'sweeps' | 'checksFiles' | 'receivesFiles' | 'runsTableJobs';
  /** Writes or removes passages in the index of files. */
  index?: 'writes';
  /** Reads or writes values that may be too big for the table. */
  largeValues?: 'reads' | 'writes';
  /** Calls the endpoints of bots and integrations. */
  callsEndpoints?: boolean;
  /** Asks the language model, if one is configured. */
  model?: boolean;
  /** Puts jobs on these queues, or has them come again. */
  sends?: readonly QueueName[];
}

export type QueueName = 'sweeps' | 'timers' | 'deliveries' | 'uploads' | 'indexing' | 'tableJobs' | 'rows';

export interface StreamConsumer extends ConsumerAccess {
  name: string;
  summary: string;
  trigger: { stream: readonly StreamFilter[] };
  handle(event: DynamoDBStreamEvent, context: Context): Promise<void>;
}

export interface QueueConsumer extends ConsumerAccess {
  name: string;
  summary: string;
  trigger: { queue: QueueName };
  /** Of one that works hard, in MB. */
  memoryMb?: number;
  handle(event: SQSEvent, context: Context): Promise<void>;
}

export interface ScheduleConsumer extends ConsumerAccess {
  name: string;
  summary: string;
  trigger: { everyMinutes: number };
  handle(event: unknown, context: Context): Promise<void>;
}

export type Consumer = StreamConsumer | QueueConsumer | ScheduleConsumer;

export const streamConsumer = (consumer: StreamConsumer) => consumer;
export const queueConsumer = (consumer: QueueConsumer) => consumer;
export const scheduleConsumer = (consumer: ScheduleConsumer) => consumer;
