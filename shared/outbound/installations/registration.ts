/**
 * No transaction waits for an endpoint: the installation is written as pending, the endpoint is called, and the outcome
 * is written. A timer set with the first write detects interrupted calls. See docs/api/admin.md#registration.
 */

import { type Bot, changeBot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation, Registration } from '#shared/storage/dynamodb/bots/installation.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setRegistrationTimer } from '#shared/storage/dynamodb/timers/recurringTimers.ts';

/** Exceeds the duration of any operation. */
const CUT_SHORT_AFTER_MS = 60_000;
/** The queue has stopped retrying by then (docs/api/botChat.md#deliveries). */
const LOST_AFTER_MS = 4 * 60 * 60_000;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const INTERVALS_MS: Record<NonNullable<Installation['registerSchedule']>, number> = {
  hourly: HOUR_MS,
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  'bi-weekly': 14 * DAY_MS,
  monthly: 30 * DAY_MS,
  'bi-monthly': 61 * DAY_MS,
  quarterly: 91 * DAY_MS,
  yearly: 365 * DAY_MS,
};

function dueMsOf({ isEnabled, registration, registerSchedule }: Installation): number | undefined {
  if (!registration) return undefined;
  const { status, by, requestedAtMs } = registration;
  if (isPending(registration)) return requestedAtMs + (by === 'operation' ? CUT_SHORT_AFTER_MS : LOST_AFTER_MS);
  const repeats =
    isEnabled && registerSchedule !== undefined && (status === 'registered' || status === 'registration_failed');
  return repeats ? requestedAtMs + INTERVALS_MS[registerSchedule] : undefined;
}

const isPending = ({ status }: Registration) =>
  status === 'registration_pending' || status === 'unregistration_pending';

const nextDueMs = (installations: readonly Installation[]): number | undefined => {
  const times = installations.flatMap(each => dueMsOf(each) ?? []);
  return times.length > 0 ? Math.min(...times) : undefined;
};

export function registrationTimer(
  before: Pick<Bot, 'installations'>,
  after: Pick<Bot, 'id' | 'installations'>,
): Write[] {
  const dueMs = nextDueMs(after.installations);
  return dueMs === nextDueMs(before.installations) ? [] : [setRegistrationTimer(after.id, dueMs)];
}

export interface RegistrationOutcome {
  alias: string;
  requestedAtMs: number;
  status: Registration['status'];
  reason?: string | undefined;
}

export const withOutcomes = (
  installations: readonly Installation[],
  outcomes: readonly RegistrationOutcome[],
): Installation[] =>
  installations.map(each => {
    const { registration } = each;
    const outcome = outcomes.find(
      ({ alias, requestedAtMs }) => alias === each.alias && requestedAtMs === registration?.requestedAtMs,
    );
    if (!registration || !outcome || !isPending(registration)) return each;
    return { ...each, registration: { ...registration, status: outcome.status, reason: outcome.reason } };
  });

/** Ignores outcomes of installations that have changed meanwhile. */
export const recordRegistrations = (botId: string, outcomes: readonly RegistrationOutcome[]): Promise<void> =>
  changeInstallations(botId, bot => withOutcomes(bot.installations, outcomes));

export async function changeInstallations(botId: string, change: (bot: Bot) => Installation[]): Promise<void> {
  await retryConflicts(async () => {
    const before = await findBot(botId);
    if (!before || before.deletedAtMs !== undefined) return;
    const after = { ...before, installations: change(before) };
    if (after.installations.every((each, i) => each === before.installations[i])) return;
    await write([changeBot(before, after), ...registrationTimer(before, after)]);
  });
}

export const requestedOfQueue = (installation: Installation, nowMs: number): Installation => ({
  ...installation,
  registration: { status: 'registration_pending', requestedAtMs: nowMs, by: 'queue' },
});

/** Enqueues registrations that are due or were interrupted. Interrupted unregistrations are not retried. */
export async function fireRegistrations(botId: string, nowMs: number): Promise<{ writes: Write[]; nextMs?: number }> {
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) return { writes: [] };
  const installations = bot.installations.map(each => {
    const dueMs = dueMsOf(each);
    if (dueMs === undefined || dueMs > nowMs) return each;
    if (each.registration!.status !== 'unregistration_pending') return requestedOfQueue(each, nowMs);
    const reason = 'The call to the integration was interrupted.';
    return { ...each, registration: { ...each.registration!, status: 'unregistration_failed' as const, reason } };
  });
  const isChanged = installations.some((each, i) => each !== bot.installations[i]);
  const nextMs = nextDueMs(installations);
  return {
    writes: isChanged ? [{ ...changeBot(bot, { ...bot, installations }), onRefused: () => new WriteConflict() }] : [],
    ...(nextMs === undefined ? {} : { nextMs }),
  };
}
