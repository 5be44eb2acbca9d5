/** Stops a scan at its deadline. Dispose it with `using`. */
import { clock, type Timer } from '#shared/core/clock.ts';

export class ScanClock {
  #visited = 0;
  readonly #deadlineMs: number;
  readonly #controller = new AbortController();
  readonly #timer: Timer;
  readonly signal = this.#controller.signal;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    // Checks the deadline now, because a timer would fire too late if the first read completes immediately.
    if (clock.now() > deadlineMs) this.#controller.abort();
    this.#timer = clock.after(deadlineMs - clock.now(), () => this.#controller.abort());
  }

  [Symbol.dispose]() {
    this.#timer.stop();
  }

  get isUp(): boolean {
    return this.signal.aborted;
  }

  /** Returns true at the deadline. Call it per row, because visiting rows in memory does not yield to the timer. */
  tick(): boolean {
    if (++this.#visited % 256 === 0 && clock.now() > this.#deadlineMs) this.#controller.abort();
    return this.isUp;
  }

  /** Like {@link tick}, but checks the time again after a pause. Returns a promise only if there is a pause. */
  tickAfter(rest: Promise<void> | undefined): boolean | Promise<boolean> {
    const isUp = this.tick();
    if (!rest) return isUp;
    return rest.then(() => {
      if (clock.now() > this.#deadlineMs) this.#controller.abort();
      return this.isUp;
    });
  }

  warnings(advice = "A filter on id or on the table's key column reads fewer rows."): string[] {
    if (!this.isUp) return [];
    return [`The call timed out after ${this.#visited} rows, so the result covers only these rows. ${advice}`];
  }
}
