/** Changes of a bot's recurring events (docs/api/botChat.md#recurring-events). */

import { ApiError } from '#shared/core/errors.ts';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { own } from '#shared/core/own.ts';
import { isReservedType } from '#shared/domain/messaging/eventTypes.ts';
import type { BotDefinition, RecurringEvent } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  removeRecurringTimer,
  setRecurringTimer,
  setRecurringTimerIfNone,
} from '#shared/storage/dynamodb/timers/recurringTimers.ts';

const RECURRING_EVENTS_LIMIT = 20;

type RecurringEvents = BotDefinition['recurringEvents'];
type Changes = Record<string, RecurringEvent | null> | undefined;

/** Loaded lazily, because few changes name a recurring event. */
const cronReader = () => import('#shared/core/cron.ts');

/** @throws ApiError InvalidPayload for an invalid schedule or reserved type; LimitExceeded for too many events */
export async function changedRecurringEvents(
  before: RecurringEvents,
  changes: Changes,
  nowMs: number,
): Promise<RecurringEvents> {
  for (const [name, event] of Object.entries(changes ?? {})) if (event) await requireValid(name, event, nowMs);
  const after = applyChanges(before, changes);
  const count = Object.keys(after).length;
  if (count > RECURRING_EVENTS_LIMIT && changes) {
    const message = `A bot can have at most ${RECURRING_EVENTS_LIMIT} recurring events, not ${count}.`;
    throw new ApiError('LimitExceeded', message, {
      metadata: { limitEntries: RECURRING_EVENTS_LIMIT, issues: [{ path: 'recurringEvents', message }] },
    });
  }
  return after;
}

async function requireValid(name: string, { schedule, type }: RecurringEvent, nowMs: number): Promise<void> {
  const path = `recurringEvents.${name}`;
  if (isReservedType(type)) throw refusal(`${path}.type`, 'This event type is reserved for the platform');
  const { CronError, nextTickMs } = await cronReader();
  try {
    nextTickMs(schedule.cron, nowMs);
  } catch (error) {
    throw error instanceof CronError ? refusal(`${path}.schedule.cron`, error.message) : error;
  }
}

const refusal = (path: string, message: string) =>
  new ApiError('InvalidPayload', `${path}: ${message}`, { metadata: { issues: [{ path, message }] } });

/**
 * Returns the writes of changed timers. Unchanged schedules keep their timers, because frequent deployments would
 * otherwise lose ticks that are about to fire.
 */
export async function recurringTimers(
  botId: string,
  before: RecurringEvents,
  changes: Changes,
  nowMs: number,
): Promise<Write[]> {
  const writes: Write[] = [];
  for (const [name, event] of Object.entries(changes ?? {})) {
    const known = own(before, name);
    if (event) {
      const { nextTickMs } = await cronReader();
      const { cron } = event.schedule;
      const set = known?.schedule.cron === cron ? setRecurringTimerIfNone : setRecurringTimer;
      writes.push(set(botId, name, nextTickMs(cron, nowMs)));
    } else if (known) writes.push(removeRecurringTimer(botId, name));
  }
  return writes;
}
