/**
 * Listens to a conversation for as long as wanted. A stream that ends, breaks or falls silent is opened again where it
 * stopped (`Last-Event-ID`), after pauses that grow. What a stream cannot resume is read anew by `onOpen`.
 */
import { ChatFault } from './chatApi.ts';
import type { Signal } from './contract.ts';
import { FrameReader } from './frames.ts';

/** `lost` is said when something broke, not when the server ends a stream after its time. */
export type Connection = 'connecting' | 'live' | 'lost';

export interface Pauses {
  firstMs: number;
  longestMs: number;
  /** The server writes something every four seconds. */
  silenceMs: number;
}

const PAUSES: Pauses = { firstMs: 1_000, longestMs: 30_000, silenceMs: 15_000 };
/** A stream that lasted so long makes the pauses short again. */
const LASTING_MS = 10_000;

interface Listening {
  open(lastEventId: string | undefined, abort: AbortSignal): Promise<Response>;
  /** A stream has begun. One that is not resumed may have missed what was said before it. */
  onOpen(isResumed: boolean): Promise<void>;
  onSignal(signal: Signal): void;
  onConnection(connection: Connection): void;
  /** The server will not let this user listen, however often they ask. */
  onRefused(fault: ChatFault): void;
  pauses?: Pauses;
}

export class Listener {
  #listening: Listening;
  #pauses: Pauses;
  #lastEventId: string | undefined;
  #abort: AbortController | undefined;
  #wake = () => {};
  #run: Promise<void> | undefined;

  constructor(listening: Listening) {
    this.#listening = listening;
    this.#pauses = { ...(listening.pauses ?? PAUSES) };
  }

  /** Resumes where an earlier stream stopped. */
  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#run = this.#keepListening(this.#abort.signal, this.#run);
  }

  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#wake();
  }

  /** Ends a pause, as when the network is back. */
  wake(): void {
    this.#wake();
  }

  async #keepListening(stopped: AbortSignal, before: Promise<void> | undefined): Promise<void> {
    await before;
    let attempt = 0;
    while (!stopped.aborted) {
      const startMs = Date.now();
      let fault: unknown;
      try {
        this.#listening.onConnection(attempt === 0 ? 'connecting' : 'lost');
        await this.#listenOnce(stopped);
      } catch (error) {
        fault = error;
      }
      if (stopped.aborted) return;
      if (isRefusal(fault)) {
        // The server may refuse the position rather than the caller.
        if (fault.status !== 400 || this.#lastEventId === undefined) {
          this.stop();
          return this.#listening.onRefused(fault);
        }
        this.#lastEventId = undefined;
      }
      if (fault) this.#listening.onConnection('lost');
      attempt = !fault || Date.now() - startMs > LASTING_MS ? 0 : attempt + 1;
      await this.#pause(attempt, fault instanceof ChatFault ? fault.retryAfterMs : undefined);
    }
  }

  async #listenOnce(stopped: AbortSignal): Promise<void> {
    const isResumed = this.#lastEventId !== undefined;
    const broken = new AbortController();
    const either = AbortSignal.any([stopped, broken.signal]);
    const fail = (error: unknown) => broken.abort(error);
    let watchdog = this.#watch(fail);
    try {
      const response = await this.#listening.open(this.#lastEventId, either);
      const reader = response.body!.getReader();
      either.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
      const frames = new FrameReader();
      const decoder = new TextDecoder();
      let isOpen = false;
      for (;;) {
        const { value, done } = await reader.read();
        either.throwIfAborted();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = this.#watch(fail);
        for (const frame of frames.read(decoder.decode(value, { stream: true }))) this.#take(frame);
        if (isOpen) continue;
        isOpen = true;
        // The stream goes on meanwhile: whatever is said now is in one of the two.
        void this.#whenOpen(isResumed, broken);
      }
    } catch (error) {
      throw broken.signal.aborted ? broken.signal.reason : error;
    } finally {
      clearTimeout(watchdog);
      broken.abort();
    }
  }

  async #whenOpen(isResumed: boolean, stream: AbortController): Promise<void> {
    try {
      await this.#listening.onOpen(isResumed);
      if (!stream.signal.aborted) this.#listening.onConnection('live');
    } catch (error) {
      // Else the next stream would resume after what could not be read.
      if (!isResumed) this.#lastEventId = undefined;
      stream.abort(error);
    }
  }

  #take({ id, data, retryMs }: { id?: string; data?: string; retryMs?: number }): void {
    if (retryMs !== undefined) this.#pauses.firstMs = Math.min(retryMs, this.#pauses.longestMs);
    if (data !== undefined && data !== 'ping') this.#listening.onSignal(JSON.parse(data));
    if (id !== undefined) this.#lastEventId = id;
  }

  #watch = (fail: (error: unknown) => void) =>
    setTimeout(() => fail(new ChatFault(0, 'NoAnswer', 'The stream fell silent.')), this.#pauses.silenceMs);

  /** Spread, so that a thousand pages do not come back at once. */
  async #pause(attempt: number, askedMs = 0): Promise<void> {
    const { firstMs, longestMs } = this.#pauses;
    const grownMs = Math.min(longestMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2);
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.max(grownMs, askedMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }
}

const isRefusal = (fault: unknown): fault is ChatFault =>
  fault instanceof ChatFault && !fault.isPassing && fault.status >= 400;
