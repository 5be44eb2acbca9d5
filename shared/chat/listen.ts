/**
 * A listener: follows the timeline of a conversation, and tells it as server-sent events (FACTS 1.2, SSE).
 *
 * He looks again and again, because a function cannot be told of another's write; and each time from some seconds ago,
 * because writers' clocks differ: see `listenCursor.ts`. That others type or have read something stands beside the timeline,
 * and is looked at too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findParticipant, findParticipantEventually, type Participant } from '#shared/dynamodb/chat/participants.ts';
import { findPresence, type Presence } from '#shared/dynamodb/chat/presence.ts';
import { entriesFrom } from '#shared/dynamodb/chat/timeline.ts';
import { type Cursor, WINDOW_MS } from './listenCursor.ts';
import { loadSignal, Signal, viewPresence } from './signals.ts';

/** Proxies cut a connection that is still for 30 s, and the official client gives up after 60 s without a message. */
const PING_MS = 20_000;
/** Of those whose conversation or user is deleted the timeline says nothing. */
export const CHECK_MS = 5_000;
/** API Gateway cuts a stream at 15 minutes; one that ends before is known to be whole. */
const LONGEST_MS = 14 * 60_000;
/** What the last look may take, before the function's time is up. */
const END_MARGIN_MS = 15_000;
/** After how long a client comes again that does so by itself. */
const RETRY_MS = 1_000;

/** Whoever typed longer ago than this has stopped, or his client would have said so again. */
const TYPING_MS = 10_000;
/** Before this much silence there is talk. */
const QUIET_MS = 5_000;
/** Where it is quiet, what others show is looked at with each so many looks at the timeline. */
export const PRESENCE_LOOKS = 2;

/**
 * How long until the next look: at once where there is talk, and where it is quiet so rarely that all looks and checks are
 * at most 2 half-unit reads a second (FACTS, *Budgets*): a look and a half every 0.85 s, and a check every 5 s, are 1.97.
 */
export function pauseAfter(quietMs: number): number {
  return quietMs < QUIET_MS ? 100 : 850;
}

interface Listening {
  botId: string;
  /** Who listens, as he was when it was checked that he may. */
  participant: Participant;
  /** From where on; it moves along. */
  cursor: Cursor;
  /** When the function must be done. */
  deadlineMs: number;
}

/** The frames for a listener. Looking stops at once when whoever reads them goes away. */
export const listen = (listening: Listening): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    const gone = new AbortController();
    const frames = follow(listening, gone.signal);
    return {
      next: () => frames.next(),
      // A generator takes this only between two frames: it must be woken up first.
      return: () => {
        gone.abort();
        return frames.return(undefined);
      },
    };
  },
});

async function* follow(
  { botId, participant, cursor, deadlineMs }: Listening,
  gone: AbortSignal,
): AsyncGenerator<string, undefined> {
  // Clients wait for the first bytes, and lose what comes together with them: so this says nothing, and a pause follows.
  yield `retry: ${RETRY_MS}\nid: ${cursor}\n: listening\n\n`;

  const endMs = Math.min(Date.now() + LONGEST_MS, deadlineMs - END_MARGIN_MS);
  let heardMs = Date.now();
  let wroteMs = heardMs;
  let checkedMs = heardMs;
  const pickNews = newsOf(participant, heardMs);

  for (let looks = 0; Date.now() < endMs; looks++) {
    await sleep(pauseAfter(Date.now() - heardMs), undefined, { signal: gone }).catch(() => {});
    if (gone.aborted) return;

    // Asked for before the timeline and told after it, so that who was removed hears nothing of what came after that. Not
    // waited for meanwhile: a message would come later for it.
    const isLiveDue = Date.now() - heardMs < QUIET_MS || looks % PRESENCE_LOOKS === 0;
    const looking = isLiveDue ? findPresence(botId, participant.conversationId) : undefined;
    looking?.catch(() => {});
    const settledMs = Date.now() - WINDOW_MS;
    const news = entriesFrom(botId, participant.conversationId, cursor.floor, position => !cursor.has(position));
    for await (const entry of news) {
      if (gone.aborted) return;
      cursor.add(entry.position, settledMs);
      if (entry.isImported || entry.generation !== participant.generation) continue;
      if (entry.kind === 'participant_removed' && entry.userId === participant.userId) {
        if (!(await stillTakesPart(botId, participant))) return;
        // He left and came back before he began to listen.
        continue;
      }
      const signal = Signal.parse(await loadSignal(botId, entry, participant));
      yield frame(cursor, JSON.stringify(signal));
      heardMs = Date.now();
      wroteMs = heardMs;
      // What is left of it comes to him after he has connected again.
      if (heardMs > endMs) break;
    }
    if (Date.now() > endMs) break;
    cursor.settle(settledMs);

    for (const live of looking ? pickNews(await looking) : []) {
      if (gone.aborted) return;
      yield frame(cursor, JSON.stringify(Signal.parse(viewPresence(live, participant))));
      heardMs = Date.now();
      wroteMs = heardMs;
    }

    if (Date.now() - checkedMs >= CHECK_MS) {
      if (!(await stillTakesPart(botId, participant, findParticipantEventually))) return;
      checkedMs = Date.now();
    }
    if (Date.now() - wroteMs >= PING_MS) {
      yield frame(cursor, 'ping');
      wroteMs = Date.now();
    }
  }
  yield `retry: ${RETRY_MS}\nid: ${cursor}\n\n`;
}

const frame = (cursor: Cursor, data: string) => `id: ${cursor}\ndata: ${data}\n\n`;

/**
 * Picks, out of what everyone shows, what a listener is to hear: what others did since he listens, each once. He gets it
 * only once also when he comes again, and a cursor says nothing of it: what lasts of it is shown on the participant.
 */
function newsOf({ userId, generation }: Participant, sinceMs: number): (shown: Presence[]) => Presence[] {
  let toldMs: Map<string, number> | undefined;
  return shown => {
    const before = toldMs;
    // By comparison with the look before, not by the clock: that of who wrote it may be behind.
    const isNew = ({ name, atMs }: Presence) => (before ? atMs > (before.get(name) ?? 0) : atMs >= sinceMs);
    const news = shown.filter(isNew);
    toldMs = new Map(before);
    for (const { name, atMs } of before ? news : shown) toldMs.set(name, atMs);
    return news.filter(
      live =>
        live.userId !== userId &&
        live.generation === generation &&
        (live.kind !== 'typing' || Date.now() - live.atMs <= TYPING_MS),
    );
  };
}

/** Whether he has taken part ever since; not, if he left and came back. */
async function stillTakesPart(botId: string, participant: Participant, find = findParticipant): Promise<boolean> {
  const current = await find(botId, participant.conversationId, participant.userId);
  return current?.generation === participant.generation && current.joinedAtMs === participant.joinedAtMs;
}
