/** The attempts at an event that its endpoint cannot handle, see docs/compatibility.md#attempts. */

import { environment } from '#shared/core/environment.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';

/** The largest settings of a bot: its conversation waits for these attempts. */
export const MOST_ATTEMPTS = 10;
export const MOST_SECONDS = 900;

const DEFAULT_ATTEMPTS = 3;
/** A multiple of the first pause: 15 seconds. */
const DEFAULT_PAUSES = 15;

/** Attempts, the first one included, and the longest time from the first to the last. */
export interface BadEventRetries {
  attempts: number;
  withinMs: number;
}

/** Returns a bot's settings, or the defaults. */
export const badEventRetries = ({ badEventRetries: own }: Pick<Bot, 'badEventRetries'>): BadEventRetries => ({
  attempts: own?.attempts ?? DEFAULT_ATTEMPTS,
  withinMs: own?.withinSeconds === undefined ? DEFAULT_PAUSES * environment.firstPauseMs : own.withinSeconds * 1000,
});
