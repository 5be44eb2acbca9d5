/** Poll intervals within the budget of docs/performance.md#listeners. */

const QUIET_MS = 5_000;
const ASLEEP_MS = 5 * 60_000;

/** Interval of participant checks, because deleting a user leaves no entry in the timeline. */
export const CHECK_MS = 5_000;
/** Average time per check among many listeners. All due listeners are checked before a signal. */
const CHECK_SPREAD_MS = 2_000;

/** In a quiet conversation, only every n-th poll reads presence. */
export const PRESENCE_POLLS = 8;

/** Poll interval of a process with notices, in case another process writes. */
export const NOTIFIED_POLL_MS = 120_000;
/** Delay of a poll after a notice, so that concurrent writes are read together and in order. */
export const PROMPT_MS = 10;
export const BUSY_MS = 25;

export const isActive = (quietMs: number): boolean => quietMs < QUIET_MS;

export function pauseAfter(quietMs: number): number {
  if (isActive(quietMs)) return 100;
  return quietMs < ASLEEP_MS ? 250 : 1_000;
}

/** Randomised, because thousands of listeners may have connected simultaneously. */
export const pauseWhenNotified = (): number => NOTIFIED_POLL_MS * (0.5 + Math.random());

export const checkAfter = (listeners: number): number => Math.max(CHECK_MS, listeners * CHECK_SPREAD_MS);
