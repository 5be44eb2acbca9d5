/**
 * How often a conversation with listeners is looked at. Half a read unit each: in a quiet conversation four reads a
 * second of the timeline, half a read of presence and half a read of its participants are the budget of five
 * (docs/performance.md#listeners).
 */

/** After this much silence the conversation counts as quiet, and is looked at less often. */
const QUIET_MS = 5_000;
/** After this much, a talk is over. */
const ASLEEP_MS = 5 * 60_000;

/** A user may be deleted without an entry in the timeline, so participants are read too: each this often … */
export const CHECK_MS = 5_000;
/** … or, of many listeners, so that one is read in this time on average. Before a signal, all are read that are due. */
const CHECK_SPREAD_MS = 2_000;

/** In a quiet conversation, only every n-th look reads presence. */
export const PRESENCE_LOOKS = 8;

/** Looks at a conversation of whose writes this process is told: in case that another process writes after all. */
export const TOLD_MS = 120_000;
/** Writes of the same moment are read together, and in their order. */
export const PROMPT_MS = 10;
/** The pause after a look during which something was written. */
export const BUSY_MS = 25;

/** Whether somebody talks. @param quietMs since the last signal, or the last listener who came */
export const isActive = (quietMs: number): boolean => quietMs < QUIET_MS;

/** The pause before the next look. */
export function pauseAfter(quietMs: number): number {
  if (isActive(quietMs)) return 100;
  return quietMs < ASLEEP_MS ? 250 : 1_000;
}

/** Spread, because a thousand listeners may have come at once. */
export const pauseWhenTold = (): number => TOLD_MS * (0.5 + Math.random());

/** After how long a participant is read again while nothing is said. @param listeners in the conversation */
export const checkAfter = (listeners: number): number => Math.max(CHECK_MS, listeners * CHECK_SPREAD_MS);
