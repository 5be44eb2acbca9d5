/** What reacts to something that happened, rather than to a call. Declared once, like an operation. */
import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';

/** One pattern of the event source's filter: what matches none does not start the function. */
export type StreamFilter = Record<string, unknown>;

interface Access {
  table: 'reads' | 'writes';
  objects?: 'deletes';
  /** Puts jobs on the queue of sweeps. */
  sends?: 'sweeps';
}

export interface StreamReaction extends Access {
  name: string;
  summary: string;
  trigger: { stream: readonly StreamFilter[] };
  handle(event: DynamoDBStreamEvent, context: Context): Promise<void>;
}

export interface QueueReaction extends Access {
  name: string;
  summary: string;
  trigger: { queue: 'sweeps' };
  handle(event: SQSEvent, context: Context): Promise<void>;
}

export type Reaction = StreamReaction | QueueReaction;

export const streamReaction = (reaction: StreamReaction) => reaction;
export const queueReaction = (reaction: QueueReaction) => reaction;
