/**
 * Replays failed events, and what failed to go out to integrations: refused by the endpoint, or given up after all
 * attempts.
 */
import { type Event, listEvents, setEventStatus } from '#shared/storage/dynamodb/chat/events.ts';
import { listFailedOutgoing, type Outgoing, setOutgoingStatus } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { timeRange } from '#shared/storage/dynamodb/lists.ts';
import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/transaction.ts';

/** Events looked at per call. */
const LIMIT = 500;

/**
 * Makes what failed of a bot pending again: its events, oldest first, then what goes out. The table's stream then
 * enqueues it.
 * @param sinceMs replays events from this time on
 * @param after the `next` of the previous call
 * @returns the number of replayed events, and `next` if there are more
 */
export async function replayEvents(
  botId: string,
  { sinceMs, after }: { sinceMs: number | undefined; after?: string | undefined },
): Promise<{ replayed: number; next?: string }> {
  let replayed = 0;
  let looked = 0;
  for await (const { next, change } of failedFrom(botId, sinceMs, after)) {
    if (await isWritten(change)) replayed++;
    if (++looked === LIMIT) return { replayed, next };
  }
  return { replayed };
}

/** Begins the position of what goes out: the sort keys of both lists start with a time. */
const OUTGOING = 'out ';

async function* failedFrom(
  botId: string,
  sinceMs: number | undefined,
  after: string | undefined,
): AsyncGenerator<{ next: string; change: Write }> {
  const range = { direction: 'asc' as const, ...timeRange(sinceMs, undefined) };
  const afterOutgoing = after?.startsWith(OUTGOING) ? after.slice(OUTGOING.length) : undefined;
  if (afterOutgoing === undefined) {
    for await (const { sortKey, event } of listEvents(botId, { status: 'failed' }, { ...range, after })) {
      yield { next: sortKey, change: replayOfEvent(botId, event) };
    }
  }
  for await (const { sortKey, outgoing } of listFailedOutgoing(botId, { ...range, after: afterOutgoing })) {
    yield { next: `${OUTGOING}${sortKey}`, change: replayOfOutgoing(botId, outgoing) };
  }
}

const replayOfEvent = (botId: string, event: Event) =>
  setEventStatus(botId, event, 'pending', () => new WriteConflict(), { isReplay: true });

const replayOfOutgoing = (botId: string, outgoing: Outgoing) =>
  setOutgoingStatus(botId, outgoing, 'pending', { isReplay: true });

/** @returns false when a parallel call replayed it first */
async function isWritten(change: Write): Promise<boolean> {
  try {
    await write([change]);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
