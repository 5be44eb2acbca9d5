import { cached } from '#shared/cache.ts';
import { streamConsumer } from '#shared/consumers/consumer.ts';
import { eventOfEntry, hooksOf } from '#shared/delivery/occasions.ts';
import { parseEvent, putNewEvent } from '#shared/dynamodb/chat/events.ts';
import { eventPrefix, isEventKey, isTimelineKey, timelinePrefix } from '#shared/dynamodb/keys/chat.ts';
import { botSk } from '#shared/dynamodb/keys/workspace.ts';
import { parseStreamChange, type StreamChange } from '#shared/dynamodb/streamChange.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { findBot, parseBot } from '#shared/dynamodb/workspace/bots.ts';
import { log } from '#shared/log.ts';
import { enqueueDelivery } from '#shared/queues/deliveries.ts';

/**
 * What a bot is to be told, out of the changes of the table and in their order. What has been put on the queue may be put
 * there again after a failure: the queue takes it once, and an event that is settled is not sent again.
 */
export const queueDeliveries = streamConsumer({
  name: 'queueDeliveries',
  summary: 'Has bots told what users say, what happens, and that they were connected.',
  trigger: {
    stream: [
      {
        eventName: ['INSERT'],
        dynamodb: { Keys: { sk: { S: [{ prefix: timelinePrefix }] } }, NewImage: { k: { S: ['m', 'e'] } } },
      },
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { sk: { S: [{ prefix: eventPrefix }] } }, NewImage: { status: { S: ['pending'] } } },
      },
      { dynamodb: { Keys: { sk: { S: [botSk] } } } },
    ],
  },
  table: 'writes',
  sends: ['deliveries'],

  handle: async ({ Records }) => {
    // Changes of one partition come in order, and stay so; partitions do not wait for each other.
    const partitions = new Map<string, StreamChange[]>();
    for (const change of Records.map(parseStreamChange)) {
      partitions.set(change.pk, [...(partitions.get(change.pk) ?? []), change]);
    }
    await Promise.all(
      [...partitions.values()].map(async changes => {
        for (const change of changes) await follow(change);
      }),
    );
    log.info('Queued deliveries.', { operation: 'queueDeliveries', records: Records.length });
  },
});

const BOT_CACHE_MS = 10_000;
const findBotNow = cached(findBot, { forMs: BOT_CACHE_MS, keepsAbsence: true });

async function follow({ pk, sk, botId, id, before, after }: StreamChange): Promise<void> {
  if (sk === botSk) return followBot(botId, before, after);
  const known = await findBotNow(botId);
  // That it has no endpoint is not taken from memory: it may have got one just now.
  const bot = known?.url ? known : await findBot(botId);
  // Who has no endpoint is told nothing: its events stay as they are.
  if (!bot?.url || bot.deletedAtMs !== undefined) return;

  if (isTimelineKey(sk)) {
    const event = await eventOfEntry(bot, id, after);
    if (!event) return;
    try {
      await write(putNewEvent(botId, event));
    } catch (error) {
      // It was made before this was cut short.
      if (!(error instanceof WriteConflict)) throw error;
    }
    await enqueueDelivery({ kind: 'event', botId, eventId: event.id }, { group: `${botId}#${id}`, once: event.id });
    return;
  }
  const isNews = isEventKey(sk) && before.status !== 'pending';
  if (!isNews) return;
  // The stream has bytes as text: what it says is read where it is sent.
  const event = parseEvent({ ...after, z: undefined });
  // Of what was said it is put on the queue where it is made, in its order; but for one that failed and is sent anew.
  if (event.id.startsWith('evt') && !event.replays) return;
  await enqueueDelivery(
    { kind: 'event', botId, eventId: event.id },
    { group: pk, once: `${event.id}#${event.replays ?? 0}` },
  );
}

async function followBot(
  botId: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  const bots = [before, after].map(item => (item.id === undefined ? undefined : parseBot(item)));
  for (const hook of await hooksOf(bots[0], bots[1])) {
    const whose = hook.installation?.alias ?? '';
    const once = `${botId}#${hook.version}#${hook.hook}#${whose}`;
    await enqueueDelivery({ kind: 'hook', botId, ...hook }, { group: `${botId}#hooks#${whose}`, once });
  }
}
