import { VARIABLES } from '#shared/core/environment.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';

export const QUEUE_VARIABLES: Record<QueueName, string> = {
  sweeps: VARIABLES.sweepQueueUrl,
  timers: VARIABLES.timerQueueUrl,
  deliveries: VARIABLES.deliveryQueueUrl,
  uploads: VARIABLES.uploadQueueUrl,
  indexing: VARIABLES.indexingQueueUrl,
  tableJobs: VARIABLES.tableJobQueueUrl,
  rows: VARIABLES.rowQueueUrl,
  snapshots: VARIABLES.snapshotQueueUrl,
  totals: VARIABLES.totalsQueueUrl,
  code: VARIABLES.codeQueueUrl,
  transfers: VARIABLES.transferQueueUrl,
  pushes: VARIABLES.pushQueueUrl,
  connections: VARIABLES.connectionQueueUrl,
  assignments: VARIABLES.assignmentQueueUrl,
};
