import { streamConsumer } from '#shared/events/consumers/consumer.ts';
import { changed } from '#shared/events/consumers/filters.ts';
import { requestDeliveries } from '#shared/events/reactions/deliveries/requestDeliveries.ts';
import { ENTRY, ENTRY_KINDS } from '#shared/storage/dynamodb/chat/entry.ts';
import { keysOf } from '#shared/storage/dynamodb/engine/streamChange.ts';

export const queueDeliveries = streamConsumer({
  name: 'queueDeliveries',
  summary: 'Enqueues calls to the endpoints of bots and integrations, in the order of the changes.',
  table: 'writes',
  // Images of messages and conversations before and after a change.
  largeValues: 'writes',
  sends: ['deliveries'],
  // Callers wait for each delivery, and order matters only within a partition.
  concurrentBatches: 10,

  reactions: [
    {
      name: 'requestDeliveries',
      on: [
        {
          eventName: ['INSERT'],
          dynamodb: {
            ...keysOf('timelineEntry'),
            NewImage: { [ENTRY.kind]: { S: [ENTRY_KINDS.message, ENTRY_KINDS.event] } },
          },
        },
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
  ],
});
