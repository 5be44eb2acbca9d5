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
  'pushes',
  'connections',
  'assignments',
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export interface QueueSettings {
  /** Receives before the dead-letter queue. Throttled invocations may count as well. */
  maxReceives: number;
  timeoutSeconds: number;
  /** Concurrent jobs, so that backlogs leave functions to requests and listeners: 499 of 1,000 for all queues. */
  maxConcurrency: number;
  isInOrder?: true;
}

/** SQS's limit of a delay. */
export const MAX_DELAY_SECONDS = 900;

/** AWS's recommended minimum for the queue of a function. */
export const MIN_RECEIVES = 5;

/** AWS's recommended multiple. Within it, Lambda retries throttled invocations without another receive. */
const VISIBILITY_FACTOR = 6;

/** Returns seconds. Failed jobs set their own delay (`backoff.ts`). */
export const visibilitySecondsOf = (queue: QueueName): number => QUEUES[queue].timeoutSeconds * VISIBILITY_FACTOR;

export const QUEUES: Record<QueueName, QueueSettings> = {
  sweeps: { maxReceives: 5, timeoutSeconds: 300, maxConcurrency: 10 },
  timers: { maxReceives: 5, timeoutSeconds: 60, maxConcurrency: 50 },
  // Half an hour of retries covers hooks and outages of the table. The timeout exceeds an endpoint's 60 s.
  deliveries: { maxReceives: 12, timeoutSeconds: 90, maxConcurrency: 200, isInOrder: true },
  uploads: { maxReceives: 10, timeoutSeconds: 60, maxConcurrency: 50 },
  indexing: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 20 },
  tableJobs: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 20 },
  // Half an hour of retries, see `backoff.ts`.
  rows: { maxReceives: 12, timeoutSeconds: 300, maxConcurrency: 50 },
  // Jobs that wait for the quiet period of a table are retried.
  snapshots: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 10 },
  totals: { maxReceives: 5, timeoutSeconds: 120, maxConcurrency: 2 },
  code: { maxReceives: 5, timeoutSeconds: 300, maxConcurrency: 10 },
  // When a job's time is up, the next job continues its work.
  transfers: { maxReceives: 5, timeoutSeconds: 900, maxConcurrency: 4 },
  // After the last attempt, connections are closed, so that their clients resume.
  pushes: { maxReceives: 5, timeoutSeconds: 60, maxConcurrency: 50, isInOrder: true },
  connections: { maxReceives: 5, timeoutSeconds: 60, maxConcurrency: 20 },
  // Apart from sweeps, whose long deletions would delay assignments.
  assignments: { maxReceives: 5, timeoutSeconds: 60, maxConcurrency: 3 },
};
