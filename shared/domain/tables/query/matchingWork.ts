/**
 * Counts the work of a filter's patterns. RE2 takes up to the instructions of a pattern times the characters of a text,
 * so a few rows can occupy the process for seconds. Whoever applies the filter looks at the count between rows.
 */
import { invalidPayload } from '#shared/core/errors.ts';

/**
 * About 0.2 s where the engine is slowest: patterns with many states, such as `(a|b)*a(a|b){300}`. Most are a thousand
 * times as fast.
 */
const STEPS_AT_ONCE = 1_000_000;
/** Of all patterns of a filter, which may all read the same row. */
const INSTRUCTIONS_LIMIT = 4_000;

export class MatchingWork {
  #instructions = 0;
  #steps = 0;
  #seen = 0;

  /** @throws ApiError InvalidPayload when the filter's patterns are too large together */
  addPattern(instructions: number, path: string): void {
    this.#instructions += instructions;
    if (this.#instructions <= INSTRUCTIONS_LIMIT) return;
    throw invalidPayload(
      `The $regex of a filter have at most ${INSTRUCTIONS_LIMIT.toLocaleString('en')} instructions together. Use fewer or simpler ones, with smaller repetition counts.`,
      path,
    );
  }

  add(steps: number): void {
    this.#steps += steps;
  }

  /** Returns true each time that so much work was done that others must have their turn. */
  isDue(): boolean {
    if (this.#steps - this.#seen < STEPS_AT_ONCE) return false;
    this.#seen = this.#steps;
    return true;
  }
}
