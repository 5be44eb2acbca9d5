/** Clock that tests can advance. Process, socket and disk timeouts, and `performance.now()`, use real time. */

let aheadMs = 0;
const waiting = new Set<Timer>();

/** Longest delay that Node accepts. Node fires timers with longer delays immediately. */
const MAX_DELAY_MS = 2 ** 31 - 1;

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

  arm(): void {
    clearTimeout(this.#handle);
    this.#handle = setTimeout(() => this.fire(), Math.min(Math.max(this.dueMs - clock.now(), 0), MAX_DELAY_MS));
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

  unref(): this {
    this.#keepsProcess = false;
    this.#handle?.unref();
    return this;
  }
}

export const clock = {
  now: (): number => Date.now() + aheadMs,

  after: (ms: number, run: () => void): Timer => new Timer(ms, run),

  every: (ms: number, run: () => void): Timer => new Timer(ms, run, ms),

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

  /** Returns a signal that aborts after a delay unless it is disposed: `using limit = clock.limit(5_000)`. */
  limit: (ms: number): { signal: AbortSignal; [Symbol.dispose](): void } => {
    const controller = new AbortController();
    const timer = new Timer(ms, () =>
      controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
    ).unref();
    return { signal: controller.signal, [Symbol.dispose]: () => timer.stop() };
  },

  /** Advances the clock, for tests. Fires each due timer once, in order of due time. */
  advance: (ms: number): void => {
    aheadMs += ms;
    const due = [...waiting].filter(({ dueMs }) => dueMs <= clock.now()).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) if (waiting.has(timer)) timer.fire();
    for (const timer of waiting) timer.arm();
  },
};
