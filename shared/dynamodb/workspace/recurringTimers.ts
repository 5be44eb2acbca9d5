/** The timers of a bot's recurring events. */
import { recurringKey } from '#shared/dynamodb/keys/workspace.ts';
import { removeTimer, setTimer, setTimerIfNone } from '#shared/dynamodb/timers.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';

export const setRecurringTimer = (botId: string, name: string, dueMs: number): Write =>
  setTimer(recurringKey(botId, name), dueMs);

export const setRecurringTimerIfNone = (botId: string, name: string, dueMs: number): Write =>
  setTimerIfNone(recurringKey(botId, name), dueMs);

export const removeRecurringTimer = (botId: string, name: string): Write => removeTimer(recurringKey(botId, name));
