/** What the queues are like, in the cloud and on one machine. */

import type { QueueName } from '#shared/consumers/consumer.ts';
import { ATTEMPTS } from '#shared/delivery/deliver.ts';
import { INDEXING_ATTEMPTS } from '#shared/files/indexFile.ts';
import { ROW_ATTEMPTS } from '#shared/tables/changes/onRowsChanged.ts';
import { JOB_ATTEMPTS } from '#shared/tables/jobs/runJob.ts';

export const QUEUES: Record<QueueName, QueueSettings> = {
  sweeps: { maxReceives: 5, timeoutSeconds: 300 },
  timers: { maxReceives: 5, timeoutSeconds: 60 },
  // Longer than an endpoint may take.
  deliveries: { maxReceives: ATTEMPTS, timeoutSeconds: 90, isInOrder: true },
  // What the object store tells of uploads.
  uploads: { maxReceives: 10, timeoutSeconds: 60 },
  indexing: { maxReceives: INDEXING_ATTEMPTS, timeoutSeconds: 900 },
  tableJobs: { maxReceives: JOB_ATTEMPTS, timeoutSeconds: 900 },
  // Rows of which something is computed or indexed.
  rows: { maxReceives: ROW_ATTEMPTS, timeoutSeconds: 300 },
};

interface QueueSettings {
  /** How often a job comes before it is parked. */
  maxReceives: number;
  /** How long a function may work on a job. */
  timeoutSeconds: number;
  /** Jobs of a group are done in order, one after the other. */
  isInOrder?: true;
}
