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
   * How often a job is received before it moves to the dead-letter queue: at least {@link LEAST_RECEIVES}, because Lambda receives a job
   * that it then cannot start while the account is at its limit of concurrent functions.
   */
  maxReceives: number;
  /** How long a function may work on a job. */
  timeoutSeconds: number;
  /** Jobs at a time, so that no backlog takes the functions that requests and listeners need: 426 for all queues, of 1,000. */
  maxConcurrency: number;
  /** FIFO: the jobs of a group are processed one after the other, in order. */
  isInOrder?: true;
}

/** AWS's least for a queue that starts a function. */
export const LEAST_RECEIVES = 5;

/**
 * A job is hidden for six times as long as its function may run, as AWS advises: a function that is throttled is started again until
 * then, within one receive. A job whose function crashes is received again after the same time.
 */
const HIDDEN_FOR_TIMEOUTS = 6;

/** How long a received job is hidden from other receivers. A job that fails sets its own pause (`backoff.ts`). */
export const visibilitySecondsOf = (queue: QueueName): number => QUEUES[queue].timeoutSeconds * HIDDEN_FOR_TIMEOUTS;

export const QUEUES: Record<QueueName, QueueSettings> = {
  sweeps: { maxReceives: 5, timeoutSeconds: 300, maxConcurrency: 10 },
  timers: { maxReceives: 5, timeoutSeconds: 60, maxConcurrency: 50 },
  // Hooks, and what fails while the table is out of reach: with the pauses of `backoff.ts` about half an hour. Events that an endpoint
  // does not take wait in the table. Longer than an endpoint's own time-out of 60 seconds.
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
