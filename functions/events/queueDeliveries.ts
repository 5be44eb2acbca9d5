import { streamConsumer } from '#shared/events/consumers/consumer.ts';
import { changed, created } from '#shared/events/consumers/filters.ts';
import { requestDeliveries } from '#shared/events/reactions/deliveries/requestDeliveries.ts';
import { requestConnectionChecks } from '#shared/events/reactions/requestConnectionChecks.ts';
import { requestPushes } from '#shared/events/reactions/requestPushes.ts';
import { keysOf } from '#shared/storage/dynamodb/engine/streamChange.ts';

export const queueDeliveries = streamConsumer({
  name: 'queueDeliveries',
  summary:
    'Enqueues calls to the endpoints of bots and integrations, and signals for open connections, in the order of the changes.',
  table: 'writes',
  // Images of messages and conversations before and after a change.
  largeValues: 'writes',
  sends: ['deliveries', 'pushes', 'connections'],
  // Callers wait for each delivery, and order matters only within a partition.
  concurrentBatches: 10,

  reactions: [
    {
      name: 'requestDeliveries',
      on: [
        created('timelineEntry'),
        {
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: { ...keysOf('event', 'outgoing'), NewImage: { status: { S: ['pending'] } } },
        },
        // Outbound changes by bots and members.
        {
          eventName: ['MODIFY'],
          dynamodb: { ...keysOf('timelineEntry', 'conversation'), NewImage: { by: { S: ['bot'] } } },
        },
        changed('bot', 'integration'),
      ],
      partitions: {
        reads: ['bots', 'integrations', 'pendingDestinations'],
        writes: ['conversations', 'endpoints', 'pausedConversations'],
      },
      // Keeps the changes of a conversation in order.
      groupBy: ({ pk }) => pk,
      handle: requestDeliveries,
    },
    {
      name: 'requestPushes',
      on: [created('timelineEntry'), changed('presence'), { eventName: ['REMOVE'], dynamodb: keysOf('participant') }],
      partitions: { reads: ['connections'] },
      groupBy: ({ pk }) => pk,
      handle: requestPushes,
    },
    {
      name: 'requestConnectionChecks',
      on: [changed('bot')],
      handle: requestConnectionChecks,
    },
  ],
});
