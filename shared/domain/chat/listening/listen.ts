/** Streams a conversation as server-sent events (docs/api/chat.md#listening), which `feed.ts` polls. */
import { clock } from '#shared/core/clock.ts';
import type { View } from '#shared/domain/chat/feed.ts';
import { joinFeed } from '#shared/domain/chat/feeds.ts';
import { type Cursor, WINDOW_MS } from '#shared/domain/chat/listenCursor.ts';
import { isStillParticipant } from '#shared/domain/messaging/participation.ts';
import { findParticipant, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { entriesFrom } from '#shared/storage/dynamodb/chat/timeline.ts';
import { onHeartbeat } from './heartbeat.ts';
import { presenceNews } from './presenceNews.ts';
import { type Dialect, presenceText, signalText } from './signalText.ts';
import { streamCompletion } from './streamCompletion.ts';

/** The official client times out after 60 s without a message. */
const PING_MS = 20_000;
/** Its HTTP library in Node 19 and later closes a stream after 5 s without bytes. The heartbeat adds up to 0.5 s. */
const SILENCE_MS = 3_400;
/** API Gateway ends streams after 15 minutes. Ending earlier avoids partial frames. */
const MAX_MS = 14 * 60_000;
const END_MARGIN_MS = 15_000;
/** Reconnection delay. The webchat client reconnects on its own after 3 s, with its user key. */
const RETRY_MS: Record<Dialect, number> = { chat: 1_000, webchat: 10_000 };
/** Clients lose events that arrive with the first bytes. */
const FIRST_PAUSE_MS = 100;

interface Listening {
  botId: string;
  participant: Participant;
  cursor: Cursor;
  deadlineMs: number;
  dialect?: Dialect;
  first?: unknown;
}

/** Returns the frames for a listener. Polls end when their consumer returns. */
export const listen = (listening: Listening): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    const bell = new Bell();
    const frames = framesOf(listening, bell);
    return {
      next: () => frames.next(),
      // A generator handles return() only between frames, so the pause must end first.
      return: () => {
        bell.stop();
        return frames.return(undefined);
      },
    };
  },
});

class Bell {
  isStopped = false;
  error: unknown;
  #hasRung = false;
  #wake = () => {};

  ring(): void {
    this.#hasRung = true;
    this.#wake();
  }

  stop(error?: unknown): void {
    this.isStopped = true;
    this.error = error;
    this.ring();
  }

  async rung(): Promise<void> {
    if (!this.#hasRung) await new Promise<void>(resolve => (this.#wake = resolve));
    this.#hasRung = false;
  }
}

async function* framesOf(listening: Listening, bell: Bell): AsyncGenerator<string, undefined> {
  const { botId, participant, cursor, deadlineMs, dialect = 'chat', first } = listening;
  yield `retry: ${RETRY_MS[dialect]}\nid: ${cursor}\n: listening\n\n`;
  if (first !== undefined) yield frame(cursor, JSON.stringify(first));

  const startMs = clock.now();
  const endMs = Math.min(startMs + MAX_MS, deadlineMs - END_MARGIN_MS);
  const selectNews = presenceNews(participant, startMs);
  let messageMs = startMs;
  let wroteMs = startMs;
  await clock.sleep(FIRST_PAUSE_MS);
  if (bell.isStopped) return;

  let view: View | undefined;
  let isLast = false;
  const leave = joinFeed(botId, {
    participant,
    offer: (offered, isNews) => {
      view = offered;
      if (isNews) bell.ring();
    },
    finish: () => {
      isLast = true;
    },
    end: error => bell.stop(error),
  });
  const stopBeating = onHeartbeat(nowMs => {
    if (nowMs - wroteMs >= SILENCE_MS || nowMs > endMs) bell.ring();
  });
  try {
    while (clock.now() <= endMs) {
      await bell.rung();
      if (bell.isStopped) break;

      while (view && clock.now() <= endMs) {
        const current: View = view;
        view = undefined;
        const isBehind = cursor.floor < current.from;
        for await (const text of isBehind ? readFrames(listening, bell) : entryFrames(listening, bell, current)) {
          yield text;
          messageMs = wroteMs = clock.now();
          // The client receives the rest after it reconnects.
          if (messageMs > endMs) break;
        }
        if (bell.isStopped) break;
        if (isLast) continue;
        for (const presence of selectNews(current.presence)) {
          const text = await presenceText(botId, presence, participant, dialect);
          if (text === undefined) continue;
          yield frame(cursor, text);
          messageMs = wroteMs = clock.now();
        }
      }
      if (isLast) bell.stop();
      if (bell.isStopped) break;

      const nowMs = clock.now();
      if (nowMs - messageMs >= PING_MS) {
        yield frame(cursor, 'ping');
        messageMs = wroteMs = nowMs;
      } else if (nowMs - wroteMs >= SILENCE_MS) {
        yield ':\n\n';
        wroteMs = nowMs;
      }
    }
  } finally {
    stopBeating();
    leave();
  }
  if (bell.error) throw bell.error;
  if (!bell.isStopped) yield `retry: ${RETRY_MS[dialect]}\nid: ${cursor}\n\n`;
}

const frame = (cursor: Cursor, data: string) => `id: ${cursor}\ndata: ${data}\n\n`;

/** Reads the entries after the cursor of a listener that fell behind. */
function readFrames(listening: Listening, bell: Bell): AsyncGenerator<string> {
  const { botId, participant, cursor } = listening;
  const watermarkMs = clock.now() - WINDOW_MS;
  const entries = entriesFrom(botId, participant.conversationId, cursor.floor, {
    isNew: position => !cursor.has(position),
  });
  return entryFrames(listening, bell, { entries, watermarkMs });
}

async function* entryFrames(
  { botId, participant, cursor, dialect = 'chat' }: Listening,
  bell: Bell,
  { entries, watermarkMs }: { entries: AsyncIterable<View['entries'][number]> | View['entries']; watermarkMs: number },
): AsyncGenerator<string> {
  for await (const entry of entries) {
    if (bell.isStopped) return;
    if (entry.position < cursor.floor || cursor.has(entry.position)) continue;
    cursor.add(entry.position, watermarkMs);
    if (entry.isImported || entry.generation !== participant.generation) continue;
    if (entry.kind === 'participant_removed' && entry.userId === participant.userId) {
      const current = await findParticipant(botId, participant.conversationId, participant.userId);
      if (!isStillParticipant(current, participant)) return bell.stop();
      continue;
    }
    const text = await signalText(botId, entry, participant, dialect);
    if (text === undefined) continue;
    const completion = dialect === 'chat' ? streamCompletion(text) : undefined;
    // Has no id, so that a client that reconnects after it still receives the message.
    if (completion !== undefined) yield `data: ${completion}\n\n`;
    yield frame(cursor, text);
  }
  cursor.advance(watermarkMs);
}
