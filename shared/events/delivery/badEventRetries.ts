import { environment } from '#shared/core/environment.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';

/** Limits of a bot's settings, because its conversation waits for the attempts. */
export const MAX_ATTEMPTS = 10;
export const MAX_SECONDS = 900;

const DEFAULT_ATTEMPTS = 3;
/** In units of the first pause: 15 seconds. */
const DEFAULT_PAUSES = 15;

/** Attempts, including the first, and the time from the first to the last (docs/api/botChat.md#attempts). */
export interface BadEventRetries {
  attempts: number;
  withinMs: number;
}

export const badEventRetries = ({ badEventRetries: own }: Pick<Bot, 'badEventRetries'>): BadEventRetries => ({
  attempts: own?.attempts ?? DEFAULT_ATTEMPTS,
  withinMs: own?.withinSeconds === undefined ? DEFAULT_PAUSES * environment.firstPauseMs : own.withinSeconds * 1000,
});
