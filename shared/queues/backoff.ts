/** Pauses between the attempts of a queue's job. */
import { environment } from '#shared/environment.ts';

const LONGEST_PAUSE_MS = 15 * 60_000;

/** Exponential backoff with jitter: half to all of a pause that doubles, so that what failed together is not retried together. */
export function pauseAfter(attempt: number, random = Math.random()): number {
  const pauseMs = Math.min(environment.firstPauseMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return Math.round(pauseMs * (0.5 + random / 2));
}
