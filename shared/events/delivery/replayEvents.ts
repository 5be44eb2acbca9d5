import { type Event, listEvents, setEventStatus } from '#shared/storage/dynamodb/chat/events.ts';
import { listFailedOutgoing, type Outgoing, setOutgoingStatus } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { timeRange } from '#shared/storage/dynamodb/lists/lists.ts';

const LIMIT = 500;

/** Makes failed deliveries pending again: events, then outbound messages. `after` is the `next` of the last call. */
export async function replayEvents(
  botId: string,
  { sinceMs, after }: { sinceMs: number | undefined; after?: string | undefined },
): Promise<{ replayed: number; next?: string }> {
  let replayed = 0;
  let checked = 0;
  for await (const { next, change } of failedFrom(botId, sinceMs, after)) {
    if (await isWritten(change)) replayed++;
    if (++checked === LIMIT) return { replayed, next };
  }
  return { replayed };
}

/** Marks cursors of outbound messages, because the sort keys of both lists start with a time. */
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

async function isWritten(change: Write): Promise<boolean> {
  try {
    await write([change]);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
