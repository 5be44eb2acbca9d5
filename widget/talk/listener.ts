/**
 * Listens to a conversation until stopped. Reconnects an ended or broken connection at its last position, after growing
 * pauses. `onOpen` reloads what a connection cannot resume.
 */
import { ChatFault } from './chatApi.ts';
import type { Progress } from './progress.ts';
import type { Frame, Pauses, Transport } from './transport.ts';

/** `lost` marks a failure, not the server's regular end of a connection. */
export type Connection = 'connecting' | 'live' | 'lost';

/** A connection of this duration resets the pauses. */
const LASTING_MS = 10_000;

interface Listening {
  transport: Transport;
  progress: Progress;
  pauses: Pauses;
  /** Called when a connection is live. One that is not resumed may have missed messages. */
  onOpen(isResumed: boolean): Promise<void>;
  onFrame(frame: Frame): void;
  onConnection(connection: Connection): void;
  /** Called when the server permanently rejects this user. */
  onRefused(fault: ChatFault): void;
}

export class Listener {
  #listening: Listening;
  #abort: AbortController | undefined;
  #wake = () => {};
  #run: Promise<void> | undefined;

  constructor(listening: Listening) {
    this.#listening = listening;
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
    this.#listening.transport.renew?.();
    this.#wake();
  }

  async #keepListening(stopped: AbortSignal, before: Promise<void> | undefined): Promise<void> {
    await before;
    const { progress, onConnection } = this.#listening;
    let attempt = 0;
    while (!stopped.aborted) {
      const startMs = Date.now();
      let fault: unknown;
      try {
        onConnection(attempt === 0 ? 'connecting' : 'lost');
        await this.#listenOnce(stopped);
      } catch (error) {
        fault = error;
      }
      if (stopped.aborted) return;
      if (isRefusal(fault)) {
        // The server may reject the position instead of the caller.
        if (fault.status !== 400 || !progress.canResume) {
          this.stop();
          return this.#listening.onRefused(fault);
        }
        progress.forget();
      }
      if (fault) onConnection('lost');
      attempt = !fault || Date.now() - startMs > LASTING_MS ? 0 : attempt + 1;
      await this.#pause(attempt, fault instanceof ChatFault ? fault.retryAfterMs : undefined);
    }
  }

  async #listenOnce(stopped: AbortSignal): Promise<void> {
    const { transport, progress, onFrame } = this.#listening;
    const isResumed = progress.canResume;
    if (!isResumed) progress.forget();
    const broken = new AbortController();
    const ended = AbortSignal.any([stopped, broken.signal]);
    try {
      // The connection receives frames during `onOpen`, so that no message is missed.
      const onLive = () => void this.#whenOpen(isResumed, broken);
      await transport.listen({ progress, ended, onFrame, onLive });
    } finally {
      broken.abort();
    }
  }

  async #whenOpen(isResumed: boolean, connection: AbortController): Promise<void> {
    try {
      await this.#listening.onOpen(isResumed);
      if (connection.signal.aborted) return;
      this.#listening.progress.isCaughtUp = true;
      this.#listening.onConnection('live');
    } catch (error) {
      // The next connection does not resume after a gap.
      connection.abort(error);
    }
  }

  /** Randomised, so that thousands of pages do not reconnect simultaneously. */
  async #pause(attempt: number, askedMs = 0): Promise<void> {
    const { firstMs, longestMs } = this.#listening.pauses;
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
