/** Limits of deliveries, see docs/compatibility.md#deliveries. */

/** Attempts at an event. With the pauses of `backoff.ts`, about three hours. */
export const ATTEMPTS = 24;
/** An event that cannot even be tried waits as long. */
export const LONGEST_WAIT_MS = 3 * 3600_000;
/** Drains of one bot. Each that ends starts the next one, so the queue never holds more of them. */
export const DRAINS_AT_ONCE = 10;
