/** Ticks of recurring events (docs/compatibility.md#recurring-events). */

import { findRecurringEvent } from '#shared/storage/dynamodb/bots/bots.ts';
import { derivedEventId, findEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { storeValue } from '#shared/storage/dynamodb/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

/**
 * The event of a tick, and the time of the next one. That follows from now: of the ticks missed while nothing ran, one
 * fires late and the others never.
 * @returns no `nextMs` when the recurring event is gone
 */
export async function fireRecurringEvent(
  botId: string,
  name: string,
  { tickMs, nowMs }: { tickMs: number; nowMs: number },
): Promise<{ writes: Write[]; nextMs?: number }> {
  // One group, so that the ticks are delivered in order.
  const id = derivedEventId(['recurring event', botId, name], String(tickMs), tickMs, 0);
  const [recurring, fired] = await Promise.all([findRecurringEvent(botId, name), findEvent(botId, id)]);
  if (!recurring) return { writes: [] };
  const { type, payload, schedule } = recurring;
  const { nextTickMs } = await import('#shared/core/cron.ts');
  const nextMs = nextTickMs(schedule.cron, nowMs);
  // The tick has fired already: its timer was set anew by a function whose clock is behind.
  if (fired) return { writes: [], nextMs };
  return { writes: putNewEvent(botId, { id, type, status: 'pending', ...(await storeValue(botId, payload)) }), nextMs };
}
