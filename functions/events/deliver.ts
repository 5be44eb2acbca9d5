import { queueConsumer } from '#shared/consumers/consumer.ts';
import { deliver as deliverJob } from '#shared/delivery/deliver.ts';
import { environment } from '#shared/environment.ts';
import { log } from '#shared/log.ts';
import { pauseAfter } from '#shared/queues/backoff.ts';
import { DeliveryJob } from '#shared/queues/deliveries.ts';
import { retryAfter } from '#shared/queues/queue.ts';
import { QUEUES } from '#shared/queues/settings.ts';

export const deliver = queueConsumer({
  name: 'deliver',
  summary: 'Delivers events to the endpoints of bots and integrations, in order within a conversation.',
  trigger: { queue: 'deliveries' },
  table: 'writes',
  largeValues: 'reads',
  callsEndpoints: true,

  handle: async ({ Records }) => {
    for (const { body, receiptHandle, attributes } of Records) {
      const job = DeliveryJob.parse(JSON.parse(body));
      const attempt = Number(attributes.ApproximateReceiveCount ?? 1);
      const outcome = await deliverJob(job, attempt);
      const fields = { operation: 'deliver', ...job, attempt };
      if (outcome.kind === 'done') {
        log.info('Delivered.', fields);
        continue;
      }
      log.warn('The delivery failed.', { ...fields, reason: outcome.reason });
      // No function waits for the next attempt: the queue does, and holds back the rest of the conversation.
      if (attempt < QUEUES.deliveries.maxReceives) {
        await retryAfter(environment.deliveryQueueUrl, receiptHandle, pauseAfter(attempt));
      }
      throw new DeliveryFailedError(outcome.reason);
    }
  },
});

/** Makes the queue keep the job, or move it to the dead-letter queue after the last attempt. */
class DeliveryFailedError extends Error {
  override readonly name = 'DeliveryFailedError';
}
