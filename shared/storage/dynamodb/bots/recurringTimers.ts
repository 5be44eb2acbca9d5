/** The timers of a bot: of its recurring events, and of the registrations of its installations. */
import { recurringKey, registrationKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { removeTimer, setTimer, setTimerIfNone } from '#shared/storage/dynamodb/timers.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

export const setRecurringTimer = (botId: string, name: string, dueMs: number): Write =>
  setTimer(recurringKey(botId, name), dueMs);

export const setRecurringTimerIfNone = (botId: string, name: string, dueMs: number): Write =>
  setTimerIfNone(recurringKey(botId, name), dueMs);

export const removeRecurringTimer = (botId: string, name: string): Write => removeTimer(recurringKey(botId, name));

/** When an installation is to be registered next, or is known to have been left half registered. One timer for all. */
export const setRegistrationTimer = (botId: string, dueMs: number | undefined): Write =>
  dueMs === undefined ? removeTimer(registrationKey(botId)) : setTimer(registrationKey(botId), dueMs);
