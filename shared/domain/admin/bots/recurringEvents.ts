/**
 * The recurring events of a bot, as `createBot` and `updateBot` change them (docs/api/botChat.md#recurring-events).
 */

import { ApiError } from '#shared/core/errors.ts';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { isReservedType } from '#shared/domain/messaging/eventTypes.ts';
import type { BotDefinition, RecurringEvent } from '#shared/storage/dynamodb/bots/botDefinition.ts';
import {
  removeRecurringTimer,
  setRecurringTimer,
  setRecurringTimerIfNone,
} from '#shared/storage/dynamodb/bots/recurringTimers.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

const RECURRING_EVENTS_LIMIT = 20;

type RecurringEvents = BotDefinition['recurringEvents'];
/** By name; null removes one. */
type Changes = Record<string, RecurringEvent | null> | undefined;

/** Loaded when it is needed: few changes of a bot name a recurring event. */
const cronReader = () => import('#shared/core/cron.ts');

/**
 * @throws ApiError InvalidPayload for a cron expression that is invalid or never comes, or a type of the platform;
 * LimitExceeded for too many
 */
export async function changedRecurringEvents(
  before: RecurringEvents,
  changes: Changes,
  nowMs: number,
): Promise<RecurringEvents> {
  for (const [name, event] of Object.entries(changes ?? {})) if (event) await requireValid(name, event, nowMs);
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

async function requireValid(name: string, { schedule, type }: RecurringEvent, nowMs: number): Promise<void> {
  const path = `recurringEvents.${name}`;
  if (isReservedType(type)) throw refusal(`${path}.type`, 'Only the platform raises events of this type');
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
 * The timers after a change, for its transaction. One whose schedule stays is left alone, since a bot that is deployed
 * again and again would otherwise lose the ticks that are about to fire.
 */
export async function recurringTimers(
  botId: string,
  before: RecurringEvents,
  changes: Changes,
  nowMs: number,
): Promise<Write[]> {
  const writes: Write[] = [];
  for (const [name, event] of Object.entries(changes ?? {})) {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    if (event) {
      const { nextTickMs } = await cronReader();
      const { cron } = event.schedule;
      const set = known?.schedule.cron === cron ? setRecurringTimerIfNone : setRecurringTimer;
      writes.push(set(botId, name, nextTickMs(cron, nowMs)));
    } else if (known) writes.push(removeRecurringTimer(botId, name));
  }
  return writes;
}
