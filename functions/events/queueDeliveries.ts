import { streamConsumer } from '#shared/events/consumers/consumer.ts';
import { changed } from '#shared/events/consumers/filters.ts';
import { requestDeliveries } from '#shared/events/delivery/requestDeliveries.ts';
import { keysOf } from '#shared/storage/dynamodb/streamChange.ts';

export const queueDeliveries = streamConsumer({
  name: 'queueDeliveries',
  summary: 'Enqueues what the endpoints of bots and integrations are called for, in the order of the changes.',
  table: 'writes',
  // Messages and conversations as they were before and after a change.
  largeValues: 'writes',
  sends: ['deliveries'],
  // Somebody waits for each of them, and the order is that of a partition.
  batchesAtOnce: 10,

  reactions: [
    {
      name: 'requestDeliveries',
      on: [
        { eventName: ['INSERT'], dynamodb: { ...keysOf('timelineEntry'), NewImage: { k: { S: ['m', 'e'] } } } },
        {
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: { ...keysOf('event', 'outgoing'), NewImage: { status: { S: ['pending'] } } },
        },
        // Changes by bots and members, which integrations are told of.
        {
          eventName: ['MODIFY'],
          dynamodb: { ...keysOf('timelineEntry', 'conversation'), NewImage: { by: { S: ['bot'] } } },
        },
        changed('bot', 'integration'),
      ],
      partitions: { reads: ['bots', 'integrations', 'waitingLanes'], writes: ['conversations', 'endpoints', 'held'] },
      // The changes of a conversation stay in order.
      groupBy: ({ pk }) => pk,
      handle: requestDeliveries,
    },
  ],
});
