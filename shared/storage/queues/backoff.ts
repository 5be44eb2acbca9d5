import { environment } from '#shared/core/environment.ts';

const MAX_PAUSE_MS = 15 * 60_000;

const GROWTH = 3;

/** Returns the pause before the next attempt at a bad event. The pauses triple, and add up to at most `withinMs`. */
export function pauseWithin(
  attempt: number,
  { attempts, withinMs }: { attempts: number; withinMs: number },
  random = Math.random(),
): number {
  const firstMs = (withinMs * (GROWTH - 1)) / (GROWTH ** (attempts - 1) - 1);
  return Math.round(firstMs * GROWTH ** (attempt - 1) * (0.5 + random / 2));
}

/** Returns a doubling pause, with jitter of up to half so that concurrent failures are not retried together. */
export function pauseAfter(attempt: number, random = Math.random()): number {
  const pauseMs = Math.min(environment.firstPauseMs * 2 ** (attempt - 1), MAX_PAUSE_MS);
  return Math.round(pauseMs * (0.5 + random / 2));
}
