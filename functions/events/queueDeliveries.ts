import { streamConsumer } from '#shared/consumers/consumer.ts';
import { requestDeliveries } from '#shared/delivery/requestDeliveries.ts';
import { keysOf, parseStreamChange, type StreamChange } from '#shared/dynamodb/streamChange.ts';
import { log } from '#shared/log.ts';

export const queueDeliveries = streamConsumer({
  name: 'queueDeliveries',
  summary: 'Enqueues what the endpoints of bots and integrations are called for, in the order of the changes.',
  trigger: {
    stream: [
      { eventName: ['INSERT'], dynamodb: { ...keysOf('timelineEntry'), NewImage: { k: { S: ['m', 'e'] } } } },
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { ...keysOf('event'), NewImage: { status: { S: ['pending'] } } } },
      { dynamodb: keysOf('bot') },
    ],
  },
  table: 'writes',
  sends: ['deliveries'],

  handle: async ({ Records }) => {
    await Promise.all(byPartition(Records.map(parseStreamChange)).map(requestDeliveries));
    log.info('Queued deliveries.', { operation: 'queueDeliveries', records: Records.length });
  },
});

/** The changes of a partition stay in order; partitions do not wait for each other. */
function byPartition(changes: readonly StreamChange[]): StreamChange[][] {
  const partitions = new Map<string, StreamChange[]>();
  for (const change of changes) partitions.set(change.pk, [...(partitions.get(change.pk) ?? []), change]);
  return [...partitions.values()];
}
