/** The queues: retries and time-outs, in the cloud and on one machine. */

export const QUEUE_NAMES = [
  'sweeps',
  'timers',
  'deliveries',
  'uploads',
  'indexing',
  'tableJobs',
  'rows',
  'snapshots',
  'totals',
  'code',
  'transfers',
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export interface QueueSettings {
  /**
   * Receives before a job moves to the dead-letter queue: at least {@link LEAST_RECEIVES}. A receive also counts if
   * Lambda cannot start the function because the account is at its limit of concurrent executions.
   */
  maxReceives: number;
  /** How long a function may work on a job. */
  timeoutSeconds: number;
  /**
   * Jobs at a time, so that no backlog takes the functions that requests and listeners need: 426 for all queues, of
   * 1,000.
   */
  maxConcurrency: number;
  /** FIFO: the jobs of a group are processed one after the other, in order. */
  isInOrder?: true;
}

/** AWS's recommended minimum for the queue of a function. */
export const LEAST_RECEIVES = 5;

/**
 * The visibility timeout of a queue as a multiple of its function's timeout, as AWS recommends. Within it, Lambda
 * retries a throttled invocation without another receive. A job whose function crashed is received again after it.
 */
const VISIBILITY_FACTOR = 6;

/** The visibility timeout of a queue, in seconds. A job that fails sets its own delay (`backoff.ts`). */
export const visibilitySecondsOf = (queue: QueueName): number => QUEUES[queue].timeoutSeconds * VISIBILITY_FACTOR;

export const QUEUES: Record<QueueName, QueueSettings> = {
  sweeps: { maxReceives: 5, timeoutSeconds: 300, maxConcurrency: 10 },
  timers: { maxReceives: 5, timeoutSeconds: 60, maxConcurrency: 50 },
  // Hooks, and what fails while the table is out of reach: with the pauses of `backoff.ts` about half an hour. Events
  // that an endpoint does not take wait in the table. Longer than an endpoint's own time-out of 60 seconds.
  deliveries: { maxReceives: 12, timeoutSeconds: 90, maxConcurrency: 200, isInOrder: true },
  // S3's event notifications.
  uploads: { maxReceives: 10, timeoutSeconds: 60, maxConcurrency: 50 },
  indexing: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 20 },
  tableJobs: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 20 },
  // With the pauses of `backoff.ts` about half an hour.
  rows: { maxReceives: 12, timeoutSeconds: 300, maxConcurrency: 50 },
  // Jobs that wait for a table to settle come again.
  snapshots: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 10 },
  totals: { maxReceives: 5, timeoutSeconds: 120, maxConcurrency: 2 },
  code: { maxReceives: 5, timeoutSeconds: 300, maxConcurrency: 10 },
  // A job goes on in the next one when its time is up.
  transfers: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 4 },
};
