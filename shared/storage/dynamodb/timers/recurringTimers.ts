import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { recurringKey, registrationKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { removeTimer, setTimer, setTimerIfNone } from './timers.ts';

export const setRecurringTimer = (botId: string, name: string, dueMs: number): Write =>
  setTimer(recurringKey(botId, name), dueMs);

export const setRecurringTimerIfNone = (botId: string, name: string, dueMs: number): Write =>
  setTimerIfNone(recurringKey(botId, name), dueMs);

export const removeRecurringTimer = (botId: string, name: string): Write => removeTimer(recurringKey(botId, name));

/** Sets the next registration of the bot's installations, or the check of an interrupted one. */
export const setRegistrationTimer = (botId: string, dueMs: number | undefined): Write =>
  dueMs === undefined ? removeTimer(registrationKey(botId)) : setTimer(registrationKey(botId), dueMs);
