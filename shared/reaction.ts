/** What reacts to something that happened, rather than to a call. Declared once, like an operation. */
import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';

/** One pattern of the event source's filter: what matches none does not start the function. */
export type StreamFilter = Record<string, unknown>;

export interface ReactionAccess {
  table: 'reads' | 'writes';
  /** Deletes single objects, or finds and deletes all of a tenant. */
  objects?: 'deletes' | 'sweeps';
  /** Puts jobs on the queue of sweeps. */
  sends?: 'sweeps';
}

export interface StreamReaction extends ReactionAccess {
  name: string;
  summary: string;
  trigger: { stream: readonly StreamFilter[] };
  handle(event: DynamoDBStreamEvent, context: Context): Promise<void>;
}

export interface QueueReaction extends ReactionAccess {
  name: string;
  summary: string;
  trigger: { queue: 'sweeps' };
  handle(event: SQSEvent, context: Context): Promise<void>;
}

export type Reaction = StreamReaction | QueueReaction;

export const streamReaction = (reaction: StreamReaction) => reaction;
export const queueReaction = (reaction: QueueReaction) => reaction;
