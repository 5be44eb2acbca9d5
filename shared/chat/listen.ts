/**
 * Listening to a conversation: streams its timeline and presence as server-sent events, see docs/compatibility.md#listening.
 *
 * The listener polls, because nothing notifies a function of another's write. Each poll starts some seconds in the past,
 * because writers' clocks differ: see `listenCursor.ts`. Presence is stored beside the timeline and polled as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findParticipant,
  findParticipantEventually,
  isParticipant,
  type Participant,
} from '#shared/dynamodb/chat/participants.ts';
import { findPresence, type Presence } from '#shared/dynamodb/chat/presence.ts';
import { entriesFrom } from '#shared/dynamodb/chat/timeline.ts';
import { type Cursor, WINDOW_MS } from './listenCursor.ts';
import { loadSignal, Signal, viewPresence } from './signals.ts';

/** Proxies close a connection that is silent for 30 s, and the official client gives up after 60 s without a message. */
const PING_MS = 20_000;
/** The timeline does not record that the conversation or the user was deleted, so the participant is checked as well. */
export const CHECK_MS = 5_000;
/** API Gateway cuts a stream at 15 minutes; ending earlier leaves no frame cut in half. */
const LONGEST_MS = 14 * 60_000;
/** Left for the last poll before the function times out. */
const END_MARGIN_MS = 15_000;
/** The delay after which clients reconnect. */
const RETRY_MS = 1_000;

/** Clients repeat the typing signal, so an older one is stale. */
const TYPING_MS = 10_000;
/** After this much silence the conversation counts as quiet, and is polled less often. */
const QUIET_MS = 5_000;
/** In a quiet conversation, only every n-th poll reads presence. */
export const PRESENCE_LOOKS = 2;

/**
 * The pause before the next poll. The budget of a quiet listener is 2 half-unit reads a second: the timeline and half a
 * presence read every 0.85 s, and a check every 5 s, are 1.97.
 */
export function pauseAfter(quietMs: number): number {
  return quietMs < QUIET_MS ? 100 : 850;
}

interface Listening {
  botId: string;
  /** The listening participant, as authorised. */
  participant: Participant;
  /** The start position; advances with the stream. */
  cursor: Cursor;
  /** When the function times out. */
  deadlineMs: number;
}

/** The frames for a listener. Polling stops as soon as their consumer returns. */
export const listen = (listening: Listening): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    const gone = new AbortController();
    const frames = pollFrames(listening, gone.signal);
    return {
      next: () => frames.next(),
      // A generator handles return() only between two frames, so the pause must end first.
      return: () => {
        gone.abort();
        return frames.return(undefined);
      },
    };
  },
});

async function* pollFrames(
  { botId, participant, cursor, deadlineMs }: Listening,
  gone: AbortSignal,
): AsyncGenerator<string, undefined> {
  // Clients wait for the first bytes and lose events that arrive with them: send none yet, and pause.
  yield `retry: ${RETRY_MS}\nid: ${cursor}\n: listening\n\n`;

  const endMs = Math.min(Date.now() + LONGEST_MS, deadlineMs - END_MARGIN_MS);
  let signalledMs = Date.now();
  let wroteMs = signalledMs;
  let checkedMs = signalledMs;
  const selectNews = presenceNews(participant, signalledMs);

  for (let polls = 0; Date.now() < endMs; polls++) {
    await sleep(pauseAfter(Date.now() - signalledMs), undefined, { signal: gone }).catch(() => {});
    if (gone.aborted) return;

    // Presence is read before the timeline and sent after it, so that a removed participant receives none that is newer
    // than the removal. It is not awaited in between, which would delay messages.
    const isPresenceDue = Date.now() - signalledMs < QUIET_MS || polls % PRESENCE_LOOKS === 0;
    const presence = isPresenceDue ? findPresence(botId, participant.conversationId) : undefined;
    presence?.catch(() => {});
    const settledMs = Date.now() - WINDOW_MS;
    const news = entriesFrom(botId, participant.conversationId, cursor.floor, position => !cursor.has(position));
    for await (const entry of news) {
      if (gone.aborted) return;
      cursor.add(entry.position, settledMs);
      if (entry.isImported || entry.generation !== participant.generation) continue;
      if (entry.kind === 'participant_removed' && entry.userId === participant.userId) {
        if (!(await stillTakesPart(botId, participant))) return;
        // Removed and added again before the stream began.
        continue;
      }
      const signal = Signal.parse(await loadSignal(botId, entry, participant));
      yield frame(cursor, JSON.stringify(signal));
      signalledMs = Date.now();
      wroteMs = signalledMs;
      // The client receives the rest after it reconnects.
      if (signalledMs > endMs) break;
    }
    if (Date.now() > endMs) break;
    cursor.settle(settledMs);

    for (const news of presence ? selectNews(await presence) : []) {
      if (gone.aborted) return;
      yield frame(cursor, JSON.stringify(Signal.parse(viewPresence(news, participant))));
      signalledMs = Date.now();
      wroteMs = signalledMs;
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
 * Selects from each presence read what other participants did since the previous one. The cursor does not cover presence:
 * a listener that reconnects starts afresh, and finds lasting read marks on the participants.
 */
function presenceNews({ userId, generation }: Participant, sinceMs: number): (all: Presence[]) => Presence[] {
  let seenMs: Map<string, number> | undefined;
  return all => {
    const before = seenMs;
    // Compared with the previous read rather than the clock, because the writer's clock may be behind.
    const isNew = ({ name, atMs }: Presence) => (before ? atMs > (before.get(name) ?? 0) : atMs >= sinceMs);
    const news = all.filter(isNew);
    seenMs = new Map(before);
    for (const { name, atMs } of before ? news : all) seenMs.set(name, atMs);
    return news.filter(
      presence =>
        presence.userId !== userId &&
        presence.generation === generation &&
        (presence.kind !== 'typing' || Date.now() - presence.atMs <= TYPING_MS),
    );
  };
}

/** False also for a user who left and joined again, or was deleted and created again. */
async function stillTakesPart(botId: string, participant: Participant, find = findParticipant): Promise<boolean> {
  const current = await find(botId, participant.conversationId, participant.userId);
  return (
    isParticipant(current, participant, { generation: participant.userGeneration }) &&
    current?.joinedAtMs === participant.joinedAtMs
  );
}
