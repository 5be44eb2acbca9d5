import { queueConsumer } from '#shared/consumers/consumer.ts';
import { ATTEMPTS, deliver as deliverJob, pauseAfter } from '#shared/delivery/deliver.ts';
import { environment } from '#shared/environment.ts';
import { log } from '#shared/log.ts';
import { DeliveryJob } from '#shared/queues/deliveries.ts';
import { retryAfter } from '#shared/queues/queue.ts';

export const deliver = queueConsumer({
  name: 'deliver',
  summary: 'Sends events to the endpoints of bots and integrations, those of a conversation in order.',
  trigger: { queue: 'deliveries' },
  table: 'writes',
  largeValues: 'reads',
  callsEndpoints: true,

  handle: async ({ Records }) => {
    for (const { body, receiptHandle, attributes } of Records) {
      const job = DeliveryJob.parse(JSON.parse(body));
      const attempt = Number(attributes.ApproximateReceiveCount ?? 1);
      const outcome = await deliverJob(job, attempt);
      log.info('Delivered.', { operation: 'deliver', ...job, attempt, outcome: outcome.kind });
      if (outcome.kind === 'done') continue;
      // No function waits for it: the queue does, and with it all that comes after in the conversation.
      if (attempt < ATTEMPTS) await retryAfter(environment.deliveryQueueUrl, receiptHandle, pauseAfter(attempt));
      throw new NotDelivered(outcome.reason);
    }
  },
});

/** The queue is to keep the job, or to park it when it came too often. */
class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}
