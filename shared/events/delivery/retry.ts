/** Pauses a conversation until the next attempt at its event. */
import { clock } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { hashText } from '#shared/core/ids.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import {
  type PausedConversation,
  pauseConversation,
  scheduleWakeup,
} from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { recordPendingDestination } from '#shared/storage/dynamodb/delivery/pendingDestinations.ts';
import { pauseAfter, pauseWithin } from '#shared/storage/queues/backoff.ts';
import { appendBotLog } from './botLog.ts';
import { phaseOf } from './breaker.ts';
import { ATTEMPTS, MAX_WAIT_MS } from './deliveryLimits.ts';
import { type Delivery, nameOf, orderOf } from './deliveryRecords.ts';
import type { Recipient } from './prepare.ts';
import type { Completion, Setback } from './verdict.ts';

/** Earlier attempts at an event. */
export type History = Pick<PausedConversation, 'eventId' | 'sinceMs' | 'attempts' | 'badAttempts' | 'badAddressHash'>;

export const newHistory = ({ id: eventId }: Delivery): History => ({
  eventId,
  sinceMs: clock.now(),
  attempts: 0,
  badAttempts: 0,
});

/** Returns the number of attempts that the endpoint at this address received and could not handle. */
export const badAttemptsAt = ({ badAttempts, badAddressHash }: History, address: string | undefined): number =>
  address !== undefined && badAddressHash === hashText(address) ? badAttempts : 0;

export interface Retry {
  history: History;
  /** Pause of the conversation, as it was read before the attempt. */
  pause: PausedConversation | undefined;
}

/** Fallback, in case the end of a slow call or rollout, which admits the next conversation, was missed. */
const BUSY_POLL_MS = 5_000;

/** Keeps a paused conversation within one write unit. */
const REASON_LENGTH = 300;

/** Pauses the conversation. Returns the failure of the delivery instead after its last attempt. */
export async function retryLater(
  recipient: Recipient,
  delivery: Delivery,
  setback: Setback & { isBad: boolean },
  { history, pause }: Retry,
): Promise<Completion | undefined> {
  const { destination, botId, integrationId, address } = recipient;
  const nowMs = clock.now();
  const isTried = setback.kind === 'retry';
  const attempts = history.attempts + Number(isTried);
  const badAttempts = badAttemptsAt(history, address) + Number(setback.isBad);
  const counted = { ...history, attempts, badAttempts };
  if (isLast(counted, setback, recipient, nowMs)) {
    const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    return { kind: 'failed', reason: `Gave up after ${times}: ${setback.reason}` };
  }
  if (isTried) await logRetry(botId, delivery, setback.reason);
  // A delivery that was not attempted keeps its position among the paused conversations, which are sorted by pause,
  // longest first.
  const nextMs = isTried ? nowMs + pauseMsAfter(counted, setback, recipient) : history.sinceMs;
  const { conversationId, position } = orderOf(delivery.id);
  const badAttemptsOf = address === undefined ? {} : { badAttempts, badAddressHash: hashText(address) };
  if (integrationId !== undefined) await recordPendingDestination(integrationId, destination, nowMs);
  const reason = startOf(setback.reason, REASON_LENGTH);
  const next = { ...history, conversationId, firstPosition: position, attempts, nextMs, reason, ...badAttemptsOf };
  await pauseConversation(destination, next, pause);
  await wakeUp(recipient, isTried ? nextMs : setback.waitsFor === 'breaker' ? nowMs : nowMs + BUSY_POLL_MS, nowMs);
  return undefined;
}

type Judged = Setback & { isBad: boolean };

const isLast = (
  { attempts, badAttempts, sinceMs }: History,
  { kind, isBad }: Judged,
  recipient: Recipient,
  nowMs: number,
) =>
  kind === 'retry'
    ? attempts >= ATTEMPTS || (isBad && badAttempts >= recipient.badEventRetries.attempts)
    : nowMs - sinceMs >= MAX_WAIT_MS;

const pauseMsAfter = ({ attempts, badAttempts }: History, { isBad }: Judged, { badEventRetries }: Recipient) =>
  isBad ? pauseWithin(badAttempts, badEventRetries) : pauseAfter(attempts);

/**
 * Schedules the wakeup of the destination. Called after the pause was written, and reads with strong consistency: a
 * concurrent resume either sees that write or is seen by this read.
 */
async function wakeUp({ destination, address }: Recipient, readyMs: number, nowMs: number): Promise<void> {
  const { breaker, timerMs } = await findEndpointState(destination, address, { nowMs, isConsistent: true });
  const wakeupMs = phaseOf(breaker, nowMs) === 'open' ? breaker!.openUntilMs : readyMs;
  if (timerMs === undefined || timerMs > wakeupMs) await scheduleWakeup(destination, wakeupMs);
}

function logRetry(botId: string, delivery: Delivery, reason: string): Promise<void> {
  log.info('A delivery will be retried.', { botId, eventId: delivery.id, ...measured({ deliveryRetries: 1 }) });
  return appendBotLog(botId, 'warn', `${nameOf(delivery)} could not be delivered and will be retried: ${reason}`);
}
