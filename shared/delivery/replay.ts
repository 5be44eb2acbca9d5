/** Replays failed events: refused by the endpoint, or given up after all attempts. */
import { type Event, listEvents, setEventStatus } from '#shared/dynamodb/chat/events.ts';
import { timeRange } from '#shared/dynamodb/lists.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';

/** Events looked at per call. */
const LIMIT = 500;

/**
 * Makes failed events of a bot pending again, oldest first; the table's stream then enqueues them.
 * @param sinceMs replays events from this time on
 * @param after the `next` of the previous call
 * @returns the number of replayed events, and `next` if there are more
 */
export async function replayEvents(
  botId: string,
  { sinceMs, after }: { sinceMs: number | undefined; after?: string | undefined },
): Promise<{ replayed: number; next?: string }> {
  const range = { direction: 'asc' as const, ...timeRange(sinceMs, undefined), after };
  let replayed = 0;
  let looked = 0;
  for await (const { sortKey, event } of listEvents(botId, { status: 'failed' }, range)) {
    if (await replayEvent(botId, event)) replayed++;
    if (++looked === LIMIT) return { replayed, next: sortKey };
  }
  return { replayed };
}

/** @returns false when a parallel call replayed it first */
async function replayEvent(botId: string, event: Event): Promise<boolean> {
  try {
    await write([setEventStatus(botId, event, 'pending', () => new WriteConflict(), { isReplay: true })]);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
