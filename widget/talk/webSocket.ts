/** Receives signals over a WebSocket (docs/api/live.md). */
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { LiveSignal } from './chatContract.ts';
import { KEEP_ALIVE_FRAME, KEEP_ALIVE_MS } from './protocol.ts';
import type { Attempt, Pauses, Transport } from './transport.ts';

const TICK_MS = 30_000;
/** A timer that is this late ran on a machine that slept. Its connection may be dead without a close event. */
const SLEPT_MS = 90_000;
/** Close codes of a regular end. */
const REGULAR = [1000, 1001];

/** A handshake that failed. Browsers hide the reason. */
export class NotOpened extends ChatFault {
  constructor() {
    super(0, 'NotOpened', 'The WebSocket did not open.');
  }
}

interface ReceivedFrame {
  id?: string;
  type?: string;
  data?: unknown;
}

export class WebSocketTransport implements Transport {
  #api: ChatApi;
  #conversationId: string;
  #pauses: Pauses;
  #renew = () => {};

  constructor(api: ChatApi, conversationId: string, pauses: Pauses) {
    this.#api = api;
    this.#conversationId = conversationId;
    this.#pauses = pauses;
  }

  renew(): void {
    this.#renew();
  }

  /** @throws NotOpened */
  async listen(attempt: Attempt, onOpen = () => {}): Promise<void> {
    attempt.ended.throwIfAborted();
    const after = attempt.progress.after;
    const socket = this.#open(after);
    const over = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const failAfter = (ms: number, fault: ChatFault) => setTimeout(() => reject(fault), ms);
    let timer = failAfter(this.#pauses.handshakeMs, new NotOpened());
    let beat: ReturnType<typeof setInterval> | undefined;
    let heardMs = Date.now();
    const live = () => {
      clearTimeout(timer);
      attempt.onLive();
    };
    const receive = this.#receiver(attempt, { after, signal: over.signal, onReady: live });
    // Frames wait for the fetch of a large one, so that they stay in order.
    let received = Promise.resolve();
    socket.onopen = () => {
      clearTimeout(timer);
      onOpen();
      beat = keepAlive(socket, { heardAtMs: () => heardMs, end: resolve });
      if (after === undefined) live();
      else timer = failAfter(this.#pauses.silenceMs, new ChatFault(0, 'NoAnswer', 'The connection is not ready.'));
    };
    socket.onmessage = ({ data }) => {
      heardMs = Date.now();
      received = received.then(() => receive(data)).catch(reject);
    };
    socket.onclose = ({ code }) => {
      if (!beat) reject(new NotOpened());
      else if (REGULAR.includes(code)) resolve();
      else reject(new ChatFault(0, 'NoAnswer', 'The connection broke.'));
    };
    attempt.ended.addEventListener('abort', () => reject(attempt.ended.reason), { signal: over.signal });
    this.#renew = resolve;
    try {
      await promise;
    } finally {
      over.abort();
      clearTimeout(timer);
      clearInterval(beat);
      socket.close();
    }
  }

  #open(after: string | undefined): WebSocket {
    try {
      return this.#api.openSocket(this.#conversationId, after);
    } catch {
      // A policy of the page, or a key that no header can contain.
      throw new NotOpened();
    }
  }

  #receiver(
    { progress, onFrame }: Attempt,
    { after, signal: over, onReady }: { after: string | undefined; signal: AbortSignal; onReady(): void },
  ): (text: unknown) => Promise<void> {
    let isReady = after === undefined;
    return async text => {
      if (over.aborted || typeof text !== 'string' || !text.startsWith('{')) return;
      const { id, type, data }: ReceivedFrame = JSON.parse(text);
      if (type === 'ready') {
        // The first position of a client without a frame.
        if (id !== undefined && progress.after === undefined) progress.takePosition(id);
        if (!isReady) onReady();
        isReady = true;
      }
      // Frames of the gateway itself have no type.
      if (type === undefined || type === 'ready' || type === 'alive') return;
      const isMissed = !isReady;
      if (id !== undefined && progress.has(id, isMissed)) return;
      const signal =
        type === 'large_signal'
          ? await this.#fetch(data as { signal: string; id: string })
          : ({ type, data } as LiveSignal);
      if (!over.aborted) onFrame({ position: id, isMissed, signal });
    };
  }

  /** Returns undefined for a message or event that was deleted meanwhile. @throws ChatFault */
  async #fetch({ signal: type, id }: { signal: string; id: string }): Promise<LiveSignal | undefined> {
    try {
      if (type === 'event_created') {
        const [{ event }, { participants }] = await Promise.all([
          this.#api.getEvent(id),
          this.#api.listParticipants(this.#conversationId),
        ]);
        return { type, data: { ...event, isBot: participants.every(each => each.id !== event.userId) } };
      }
      const { message } = await this.#api.getMessage(id);
      return { type, data: message } as LiveSignal;
    } catch (fault) {
      if (fault instanceof ChatFault && !fault.isPassing) return undefined;
      throw fault;
    }
  }
}

/** Keeps an idle connection open. Ends one that slept. */
function keepAlive(
  socket: WebSocket,
  { heardAtMs, end }: { heardAtMs: () => number; end: () => void },
): ReturnType<typeof setInterval> {
  let tickedMs = Date.now();
  let sentMs = tickedMs;
  return setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - tickedMs > TICK_MS + SLEPT_MS) return end();
    tickedMs = nowMs;
    if (nowMs - Math.max(sentMs, heardAtMs()) < KEEP_ALIVE_MS) return;
    sentMs = nowMs;
    socket.send(KEEP_ALIVE_FRAME);
  }, TICK_MS);
}
