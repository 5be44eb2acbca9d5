/** Attempts at an event. With the pauses of `backoff.ts`, they take about three hours. */
export const ATTEMPTS = 24;
export const MAX_WAIT_MS = 3 * 3600_000;
/** Conversations of a destination that are resumed at a time. Each that ends starts the next, so the queue never has more jobs. */
export const CONCURRENT_RESUMES = 10;
