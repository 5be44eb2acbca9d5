import { environment } from '#shared/core/environment.ts';
import type { QueueName } from './queueSettings.ts';

const URLS: Record<QueueName, () => string> = {
  sweeps: () => environment.sweepQueueUrl,
  timers: () => environment.timerQueueUrl,
  deliveries: () => environment.deliveryQueueUrl,
  uploads: () => environment.uploadQueueUrl,
  indexing: () => environment.indexingQueueUrl,
  tableJobs: () => environment.tableJobQueueUrl,
  rows: () => environment.rowQueueUrl,
  snapshots: () => environment.snapshotQueueUrl,
  totals: () => environment.totalsQueueUrl,
  code: () => environment.codeQueueUrl,
  transfers: () => environment.transferQueueUrl,
  pushes: () => environment.pushQueueUrl,
  connections: () => environment.connectionQueueUrl,
  assignments: () => environment.assignmentQueueUrl,
};

export const queueUrlOf = (queue: QueueName): string => URLS[queue]();
