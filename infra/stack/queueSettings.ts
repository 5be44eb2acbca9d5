/**
 * Retry policy, time-outs and variables of the queues, on AWS and on one machine. Kept apart from `queues.ts` because
 * `npm start` reads it and would otherwise load the CDK.
 */
import type { QueueName } from '#shared/consumers/consumer.ts';
import { ATTEMPTS } from '#shared/delivery/deliver.ts';
import { VARIABLES } from '#shared/environment.ts';
import { INDEXING_ATTEMPTS } from '#shared/files/indexFile.ts';
import { ROW_ATTEMPTS } from '#shared/tables/changes/onRowsChanged.ts';
import { JOB_ATTEMPTS } from '#shared/tables/jobs/runJob.ts';

interface QueueSettings {
  /** Receives before a job is parked in the dead-letter queue. */
  maxReceives: number;
  /** Time limit of the consumer for one job. */
  timeoutSeconds: number;
  /** FIFO: jobs of a message group run one after the other. */
  isInOrder?: true;
}

export const QUEUE_SETTINGS: Record<QueueName, QueueSettings> = {
  sweeps: { maxReceives: 5, timeoutSeconds: 300 },
  timers: { maxReceives: 5, timeoutSeconds: 60 },
  // Exceeds the time limit of an endpoint.
  deliveries: { maxReceives: ATTEMPTS, timeoutSeconds: 90, isInOrder: true },
  // Upload notifications of the object store.
  uploads: { maxReceives: 10, timeoutSeconds: 60 },
  indexing: { maxReceives: INDEXING_ATTEMPTS, timeoutSeconds: 900 },
  tableJobs: { maxReceives: JOB_ATTEMPTS, timeoutSeconds: 900 },
  // Rows with computed columns or indexed text.
  rows: { maxReceives: ROW_ATTEMPTS, timeoutSeconds: 300 },
};

/** The environment variable that holds each queue's URL. */
export const QUEUE_VARIABLES: Record<QueueName, string> = {
  sweeps: VARIABLES.sweepQueueUrl,
  timers: VARIABLES.timerQueueUrl,
  deliveries: VARIABLES.deliveryQueueUrl,
  uploads: VARIABLES.uploadQueueUrl,
  indexing: VARIABLES.indexingQueueUrl,
  tableJobs: VARIABLES.tableJobQueueUrl,
  rows: VARIABLES.rowQueueUrl,
};
