import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { TryAgain } from '#shared/events/consumers/runJobs.ts';
import { deliver as deliverJob } from '#shared/events/delivery/deliver.ts';
import { DeliveryJob } from '#shared/storage/queues/deliveryJobs.ts';

export const deliver = queueConsumer({
  name: 'deliver',
  summary: 'Delivers events to the endpoints of bots and integrations, in order within a conversation.',
  queue: 'deliveries',
  table: 'writes',
  partitions: {
    reads: ['integrations', 'users'],
    // `bots`: registration results and the registration timer.
    writes: ['bots', 'recurringEvents', 'conversations', 'endpoints', 'pausedConversations'],
    appends: ['pendingDestinations', 'logs'],
  },
  largeValues: 'reads',
  callsEndpoints: true,
  // Jobs of this queue resume paused conversations.
  sends: ['deliveries'],
  job: DeliveryJob,

  run: async (job, { attempt, timeLeftMs }) => {
    const outcome = await deliverJob(job, attempt, timeLeftMs);
    // The bot's log records the failure.
    if (outcome.kind === 'again') throw new TryAgain(outcome.reason);
    return { ...job };
  },
});
