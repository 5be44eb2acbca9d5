/** The recurring events of a bot, as `createBot` and `updateBot` change them (docs/compatibility.md#recurring-events). */
import { CronError, nextTickMs } from '#shared/cron.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import type { BotDefinition, RecurringEvent } from '#shared/dynamodb/workspace/botDefinition.ts';
import {
  removeRecurringTimer,
  setRecurringTimer,
  setRecurringTimerIfNone,
} from '#shared/dynamodb/workspace/recurringTimers.ts';
import { ApiError } from '#shared/errors.ts';
import { applyChanges } from '#shared/mapChanges.ts';
import { isReservedType } from '#shared/messaging/eventTypes.ts';

const RECURRING_EVENTS_LIMIT = 20;

type RecurringEvents = BotDefinition['recurringEvents'];
/** By name; null removes one. */
type Changes = Record<string, RecurringEvent | null> | undefined;

/**
 * @throws ApiError InvalidPayload for a cron expression that is invalid or never comes, or a type of the platform;
 * LimitExceeded for too many
 */
export function changedRecurringEvents(before: RecurringEvents, changes: Changes, nowMs: number): RecurringEvents {
  for (const [name, event] of Object.entries(changes ?? {})) if (event) requireValid(name, event, nowMs);
  const after = applyChanges(before, changes);
  const count = Object.keys(after).length;
  if (count > RECURRING_EVENTS_LIMIT && changes) {
    const message = `A bot has at most ${RECURRING_EVENTS_LIMIT} recurring events; this would make ${count}.`;
    throw new ApiError('LimitExceeded', message, {
      metadata: { limitEntries: RECURRING_EVENTS_LIMIT, issues: [{ path: 'recurringEvents', message }] },
    });
  }
  return after;
}

function requireValid(name: string, { schedule, type }: RecurringEvent, nowMs: number): void {
  const path = `recurringEvents.${name}`;
  if (isReservedType(type)) throw refusal(`${path}.type`, 'Only the platform raises events of this type');
  try {
    nextTickMs(schedule.cron, nowMs);
  } catch (error) {
    throw error instanceof CronError ? refusal(`${path}.schedule.cron`, error.message) : error;
  }
}

const refusal = (path: string, message: string) =>
  new ApiError('InvalidPayload', `${path}: ${message}`, { metadata: { issues: [{ path, message }] } });

/**
 * The timers after a change, for its transaction. One whose schedule stays is left alone, since a bot that is deployed again and again
 * would otherwise lose the ticks that are about to fire.
 */
export function recurringTimers(botId: string, before: RecurringEvents, changes: Changes, nowMs: number): Write[] {
  return Object.entries(changes ?? {}).flatMap(([name, event]) => {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    if (!event) return known ? [removeRecurringTimer(botId, name)] : [];
    const { cron } = event.schedule;
    const set = known?.schedule.cron === cron ? setRecurringTimerIfNone : setRecurringTimer;
    return [set(botId, name, nextTickMs(cron, nowMs))];
  });
}
