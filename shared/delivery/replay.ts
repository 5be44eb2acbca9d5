/** Sending anew what failed: what an endpoint refused, or could not be brought to take for hours. */
import { type Event, listEvents, setEventStatus } from '#shared/dynamodb/chat/events.ts';
import { timeRange } from '#shared/dynamodb/lists.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';

/** So many at once. */
const LIMIT = 500;

/**
 * Has failed events of a bot sent again, the oldest first.
 * @param sinceMs those that happened then or later
 * @param after where the call before ended
 * @returns how many, and `next` if there are more
 */
export async function replayEvents(
  botId: string,
  { sinceMs, after }: { sinceMs: number | undefined; after?: string | undefined },
): Promise<{ replayed: number; next?: string }> {
  const range = { direction: 'asc' as const, ...timeRange(sinceMs, undefined), after };
  let replayed = 0;
  let looked = 0;
  for await (const { sortKey, event } of listEvents(botId, { status: 'failed' }, range)) {
    if (await sendAgain(botId, event)) replayed++;
    if (++looked === LIMIT) return { replayed, next: sortKey };
  }
  return { replayed };
}

/** The table's stream sees it pending and has it sent. @returns whether it was not sent again by another at once */
async function sendAgain(botId: string, event: Event): Promise<boolean> {
  try {
    await write([setEventStatus(botId, event, 'pending', () => new WriteConflict(), { isReplay: true })]);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
