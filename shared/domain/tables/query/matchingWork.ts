/**
 * RE2 takes up to instructions × characters steps, so a few rows can block the process for seconds. Callers check the
 * work between rows.
 */
import { invalidPayload } from '#shared/core/errors.ts';

/** About 0.2 s for the slowest patterns, such as `(a|b)*a(a|b){300}`. Most are 1,000 times faster. */
const STEPS_PER_YIELD = 1_000_000;
/** Limit for all patterns of a filter together, which may all match against the same row. */
const INSTRUCTIONS_LIMIT = 4_000;

export class MatchingWork {
  #instructions = 0;
  #steps = 0;
  #seen = 0;

  addPattern(instructions: number, path: string): void {
    this.#instructions += instructions;
    if (this.#instructions <= INSTRUCTIONS_LIMIT) return;
    throw invalidPayload(
      `The $regex patterns of a filter exceed ${INSTRUCTIONS_LIMIT.toLocaleString('en')} instructions in total. Use fewer or simpler patterns, with smaller repetition counts.`,
      path,
    );
  }

  add(steps: number): void {
    this.#steps += steps;
  }

  /** Returns true each time the caller must yield to other requests. */
  isDue(): boolean {
    if (this.#steps - this.#seen < STEPS_PER_YIELD) return false;
    this.#seen = this.#steps;
    return true;
  }
}
