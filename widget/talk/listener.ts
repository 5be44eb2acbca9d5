/**
 * Listens to a conversation until stopped. Reconnects an ended, broken or silent stream with `Last-Event-ID` after
 * growing pauses. `onOpen` reloads what a stream cannot resume.
 */
import { ChatFault } from './chatApi.ts';
import type { Signal } from './chatContract.ts';
import { FrameReader } from './frames.ts';

/** `lost` indicates a failure rather than the regular end of a stream by the server. */
export type Connection = 'connecting' | 'live' | 'lost';

export interface Pauses {
  firstMs: number;
  longestMs: number;
  /** The server writes at least every four seconds. */
  silenceMs: number;
}

const PAUSES: Pauses = { firstMs: 1_000, longestMs: 30_000, silenceMs: 15_000 };
/** A stream of this duration resets the pauses. */
const LASTING_MS = 10_000;

interface Listening {
  open(lastEventId: string | undefined, abort: AbortSignal): Promise<Response>;
  /** Called when a stream begins. A stream that is not resumed may have missed messages. */
  onOpen(isResumed: boolean): Promise<void>;
  onSignal(signal: Signal): void;
  onConnection(connection: Connection): void;
  /** Called when the server permanently rejects this user. */
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

  /** Resumes at the last position. */
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

  /** Ends a pause, for example when the network returns. */
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
        // The server may have rejected the position rather than the caller.
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
        // The stream continues meanwhile, so that no message is missed.
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
      // Prevents the next stream from resuming after a gap.
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

  /** Randomised, so that thousands of pages do not reconnect simultaneously. */
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
