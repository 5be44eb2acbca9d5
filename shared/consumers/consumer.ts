/** Functions that react to the table's stream, to queues and to schedules rather than to a call. Declared once, like operations. */
import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type { QueueName } from '#shared/queues/settings.ts';

/** One pattern of the event source's filter; records that match none do not invoke the function. */
export type StreamFilter = Record<string, unknown>;

export interface ConsumerAccess {
  table: 'reads' | 'writes';
  /**
   * Access to the object store: deletes single objects; deletes everything of a tenant; reads files; accepts uploads; also
   * deletes unexpected ones; reads, writes and deletes files.
   */
  objects?: 'deletes' | 'sweeps' | 'checksFiles' | 'settlesUploads' | 'receivesUploads' | 'runsTableJobs';
  /** Writes to the search index. */
  index?: 'writes';
  /** Reads or writes values that may be too large for an item. */
  largeValues?: 'reads' | 'writes';
  /** Calls the endpoints of bots and integrations. */
  callsEndpoints?: boolean;
  /** Calls the language model, if one is configured. */
  model?: boolean;
  /** The queues it sends jobs to, or postpones jobs of. */
  sends?: readonly QueueName[];
}

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
  /** Of a function that needs more than the default, in MB. */
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
