/**
 * The time, and waiting for it. The platform asks here, not the process, so that a test can move the time on: `clock.advance`.
 *
 * Real time remains what watches processes, sockets and disks, and what is only measured (`performance.now()`).
 */

/** What a test has moved the clock by. */
let aheadMs = 0;
const waiting = new Set<Timer>();

/** Longer delays fire at once in Node. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** Runs something at its time, once or every so often, until it is stopped. */
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

  /** Starts anew to count what is left. */
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

  /** Lets the process end meanwhile. */
  unref(): this {
    this.#keepsProcess = false;
    this.#handle?.unref();
    return this;
  }
}

export const clock = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now() + aheadMs,

  /** Runs something once, after so many milliseconds. */
  after: (ms: number, run: () => void): Timer => new Timer(ms, run),

  /** Runs something again and again. */
  every: (ms: number, run: () => void): Timer => new Timer(ms, run, ms),

  /** Settles after so many milliseconds. Rejects with the reason of `signal` when that is aborted. */
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

  /** A signal that is aborted after so many milliseconds, unless it is disposed of: `using limit = clock.limit(5_000)`. */
  limit: (ms: number): { signal: AbortSignal; [Symbol.dispose](): void } => {
    const controller = new AbortController();
    const timer = new Timer(ms, () => controller.abort(new DOMException('The time is up.', 'TimeoutError'))).unref();
    return { signal: controller.signal, [Symbol.dispose]: () => timer.stop() };
  },

  /** Moves the time on, in tests. What has become due fires once, in the order of its time. */
  advance: (ms: number): void => {
    aheadMs += ms;
    const due = [...waiting].filter(({ dueMs }) => dueMs <= clock.now()).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) if (waiting.has(timer)) timer.fire();
    for (const timer of waiting) timer.arm();
  },
};
