/** Attempts at an event. With the pauses of `backoff.ts`, they take about three hours. */
export const ATTEMPTS = 24;
export const MAX_WAIT_MS = 3 * 3600_000;
/** Concurrent drains of a lane. Each that ends starts the next, so the queue never holds more. */
export const CONCURRENT_DRAINS = 10;
