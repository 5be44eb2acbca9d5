import { queueConsumer } from '#shared/consumers/consumer.ts';
import { TryAgain } from '#shared/consumers/runJobs.ts';
import { deliver as deliverJob } from '#shared/delivery/deliver.ts';
import { DeliveryJob } from '#shared/queues/deliveries.ts';

export const deliver = queueConsumer({
  name: 'deliver',
  summary: 'Delivers events to the endpoints of bots and integrations, in order within a conversation.',
  queue: 'deliveries',
  table: 'writes',
  largeValues: 'reads',
  callsEndpoints: true,
  job: DeliveryJob,

  run: async (job, { attempt }) => {
    const outcome = await deliverJob(job, attempt);
    // The event's status or the bot's log records the failure.
    if (outcome.kind === 'again') throw new TryAgain(outcome.reason, outcome.pauseMs);
    return { ...job };
  },
});
