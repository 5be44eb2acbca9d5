/** Attempts at an event. With the pauses of `backoff.ts`, they take about three hours. */
export const ATTEMPTS = 24;
export const MAX_WAIT_MS = 3 * 3600_000;
/**
 * Resumed conversations of a destination at a time. Each one starts the next when it ends, so the queue never has more
 * jobs.
 */
export const CONCURRENT_RESUMES = 10;
