/**
 * Current time and timers. The platform uses this clock instead of the process's, so that tests can advance it.
 *
 * Timeouts of processes, sockets and disks use real time, and so do measurements (`performance.now()`).
 */

/** Total of all {@link clock.advance} calls. */
let aheadMs = 0;
const waiting = new Set<Timer>();

/** Node fires longer delays immediately. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** A timeout or interval of {@link clock}. */
export class Timer {
  dueMs: number;
  readonly #run: () => void;
  readonly #everyMs: number | undefined;
  #handle: NodeJS.Timeout | undefined;
  #keepsProcess = true;

  constructor(ms: number, run: () => void, everyMs?: number) {
    this.#run = run;
    this.#everyMs = everyMs;
    this.dueMs = clock.now() + Math.max(0, ms);
    waiting.add(this);
    this.arm();
  }

  /** Restarts the process's timer with the remaining delay. */
  arm(): void {
    clearTimeout(this.#handle);
    this.#handle = setTimeout(() => this.fire(), Math.min(Math.max(this.dueMs - clock.now(), 0), LONGEST_DELAY_MS));
    if (!this.#keepsProcess) this.#handle.unref();
  }

  fire(): void {
    if (this.#everyMs === undefined) {
      this.stop();
    } else {
      this.dueMs = clock.now() + this.#everyMs;
      this.arm();
    }
    this.#run();
  }

  stop(): void {
    clearTimeout(this.#handle);
    waiting.delete(this);
  }

  /** Allows the process to exit while the timer is pending. */
  unref(): this {
    this.#keepsProcess = false;
    this.#handle?.unref();
    return this;
  }
}

export const clock = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now() + aheadMs,

  /** Calls `run` once after a delay. */
  after: (ms: number, run: () => void): Timer => new Timer(ms, run),

  /** Calls `run` at an interval until the timer is stopped. */
  every: (ms: number, run: () => void): Timer => new Timer(ms, run, ms),

  /** Resolves after a delay. @throws the reason of `signal` when it is aborted */
  sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = () => {
        timer.stop();
        reject(signal!.reason);
      };
      const timer = new Timer(ms, () => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      });
      signal?.addEventListener('abort', cancel, { once: true });
    }),

  /** Returns a signal that is aborted after a delay unless it is disposed: `using limit = clock.limit(5_000)`. */
  limit: (ms: number): { signal: AbortSignal; [Symbol.dispose](): void } => {
    const controller = new AbortController();
    const timer = new Timer(ms, () =>
      controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
    ).unref();
    return { signal: controller.signal, [Symbol.dispose]: () => timer.stop() };
  },

  /** Advances the clock. For tests. Fires each timer that has become due once, in order of its due time. */
  advance: (ms: number): void => {
    aheadMs += ms;
    const due = [...waiting].filter(({ dueMs }) => dueMs <= clock.now()).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) if (waiting.has(timer)) timer.fire();
    for (const timer of waiting) timer.arm();
  },
};
