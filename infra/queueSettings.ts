/** What the queues are like, in the cloud and on one machine. */
import { ATTEMPTS } from '../shared/delivery/deliver.ts';
import type { QueueName } from '../shared/reaction.ts';

export const QUEUES: Record<QueueName, QueueSettings> = {
  sweeps: { maxReceives: 5, timeoutSeconds: 300 },
  due: { maxReceives: 5, timeoutSeconds: 60 },
  // Longer than an endpoint may take.
  deliveries: { maxReceives: ATTEMPTS, timeoutSeconds: 90, isInOrder: true },
};

interface QueueSettings {
  /** How often a job comes before it is parked. */
  maxReceives: number;
  /** How long a function may work on a job. */
  timeoutSeconds: number;
  /** Jobs of a group are done in order, one after the other. */
  isInOrder?: true;
}
