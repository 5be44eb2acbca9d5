import { findRecurringEvent } from '#shared/storage/dynamodb/bots/bots.ts';
import { derivedEventId, findEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** Returns a tick's event and the next tick from now. Of several missed ticks, only one fires. */
export async function fireRecurringEvent(
  botId: string,
  name: string,
  { tickMs, nowMs }: { tickMs: number; nowMs: number },
): Promise<{ writes: Write[]; nextMs?: number }> {
  // A single group, so that ticks are delivered in order.
  const id = derivedEventId(['recurring event', botId, name], String(tickMs), tickMs, 0);
  const [recurring, fired] = await Promise.all([findRecurringEvent(botId, name), findEvent(botId, id)]);
  if (!recurring) return { writes: [] };
  const { type, payload, schedule } = recurring;
  const { nextTickMs } = await import('#shared/core/cron.ts');
  const nextMs = nextTickMs(schedule.cron, nowMs);
  // Already fired. A function whose clock is behind set its timer again.
  if (fired) return { writes: [], nextMs };
  return { writes: putNewEvent(botId, { id, type, status: 'pending', ...(await storeValue(botId, payload)) }), nextMs };
}
