import { clock } from '#shared/core/clock.ts';
import { hashText } from '#shared/core/ids.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { type Held, holdConversation, scheduleWakeup } from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import { recordWaitingLane } from '#shared/storage/dynamodb/delivery/waitingLanes.ts';
import { pauseAfter, pauseWithin } from '#shared/storage/queues/backoff.ts';
import { type Attempt, badAttemptsAt, end, type Head, logRetry } from './attempt.ts';
import { phaseOf } from './breaker.ts';
import { ATTEMPTS, MAX_WAIT_MS } from './limits.ts';
import type { Recipient } from './prepare.ts';
import { type Delivery, orderOf } from './records.ts';

/** Fallback, in case the end of a slow call or rollout, which admits the next conversation, was missed. */
const BUSY_POLL_MS = 5_000;

/** Holds the conversation, or fails the delivery after the last attempt and returns false. */
export async function scheduleRetry(
  recipient: Recipient,
  delivery: Delivery,
  { attempt, head, seen }: { attempt: Exclude<Attempt, { kind: 'settled' }>; head: Head; seen: Held | undefined },
): Promise<boolean> {
  const { lane, botId, integrationId, address, badEventRetries } = recipient;
  const { reason } = attempt;
  const nowMs = clock.now();
  const isBad = attempt.kind === 'failed' && attempt.isBad;
  const attempts = head.attempts + (attempt.kind === 'failed' ? 1 : 0);
  const badAttempts = badAttemptsAt(head, address) + (isBad ? 1 : 0);
  const isLast =
    attempt.kind === 'failed'
      ? attempts >= ATTEMPTS || (isBad && badAttempts >= badEventRetries.attempts)
      : nowMs - head.sinceMs >= MAX_WAIT_MS;
  if (isLast) {
    const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    await end(recipient, delivery, { status: 'failed', reason: `Gave up after ${times}: ${reason}` });
    return false;
  }
  if (attempt.kind === 'failed') await logRetry(botId, delivery, reason);
  const pauseMs = () => (isBad ? pauseWithin(badAttempts, badEventRetries) : pauseAfter(attempts));
  // A delivery that was not attempted keeps its place: the longest held is first.
  const nextMs = attempt.kind === 'failed' ? nowMs + pauseMs() : head.sinceMs;
  const { conversationId, position } = orderOf(delivery.id);
  const badAttemptsOf = address === undefined ? {} : { badAttempts, badAddressHash: hashText(address) };
  const held = { ...head, conversationId, firstPosition: position, attempts, nextMs, ...badAttemptsOf };
  if (integrationId !== undefined) await recordWaitingLane(integrationId, lane, nowMs);
  await holdConversation(lane, held, seen);

  // Write, then read with strong consistency: a concurrent drain either sees this write or is seen by this read.
  const { breaker, timerMs } = await findEndpointState(lane, address, { nowMs, isConsistent: true });
  const readyMs = attempt.kind === 'failed' ? nextMs : attempt.for === 'breaker' ? nowMs : nowMs + BUSY_POLL_MS;
  const lookMs = phaseOf(breaker, nowMs) === 'open' ? breaker!.openUntilMs : readyMs;
  if (timerMs === undefined || timerMs > lookMs) await scheduleWakeup(lane, lookMs);
  return true;
}
