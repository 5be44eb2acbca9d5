import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { hashText, randomText } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { callTarget } from '#shared/outbound/code/target.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { reportFailure } from '#shared/outbound/endpoints/failures.ts';
import { attemptHeader } from '#shared/outbound/endpoints/headers.ts';
import { failureIn } from '#shared/outbound/installations/callIntegration.ts';
import type { Event } from '#shared/storage/dynamodb/chat/events.ts';
import type { Outgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { endSlowCall, findEndpointState, startSlowCall } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import type { Held } from '#shared/storage/dynamodb/delivery/heldConversations.ts';
import type { Lane } from '#shared/storage/dynamodb/partitioning/lanes.ts';
import { retryConflicts } from '#shared/storage/dynamodb/transaction.ts';
import { acquirePermit, recordOutcome } from './breaker.ts';
import { CONCURRENT_DRAINS } from './limits.ts';
import { showMessageStatus } from './messageStatus.ts';
import type { Recipient } from './prepare.ts';
import { type Delivery, isOutgoing, orderOf, type Settlement } from './records.ts';
import { appendBotLog, nameOf, reasonOf, settle, verdictOf } from './verdict.ts';
import { withhold } from './withhold.ts';

/** Result of an attempt. The endpoint is not called while it is down or busy. */
export type Attempt = (
  | { kind: 'settled' }
  | { kind: 'waits'; for: 'breaker' | 'slowCalls' | 'code'; reason: string }
  /** `isBad`: the endpoint works, but cannot handle the event. */
  | { kind: 'failed'; reason: string; isBad: boolean }
) & {
  freed: number;
};

/** Calls of this duration count against the bot's limit. Most are faster, and cost no write. */
const SLOW_MS = 2_000;
/** Margin after a call's timeout, by which it has ended. */
const SLOW_CALL_RESERVE_MS = 15_000;

export type Head = Pick<Held, 'eventId' | 'sinceMs' | 'attempts' | 'badAttempts' | 'badAddressHash'>;

export const newHead = ({ id: eventId }: Delivery): Head => ({
  eventId,
  sinceMs: clock.now(),
  attempts: 0,
  badAttempts: 0,
});

/** Returns the number of attempts that the endpoint at this address received and could not handle. */
export const badAttemptsAt = ({ badAttempts, badAddressHash }: Head, address: string | undefined): number =>
  address !== undefined && badAddressHash === hashText(address) ? badAttempts : 0;

export async function end(recipient: Recipient, delivery: Delivery, how: Settlement): Promise<void> {
  await settle(recipient.botId, delivery, how);
  if (how.status === 'failed') await showMessageStatus(recipient, delivery, 'failed');
}

export async function attempt(recipient: Recipient, delivery: Delivery, head: Head): Promise<Attempt> {
  const { lane, botId, target, address } = recipient;
  const settled = async (how: Settlement) => {
    await end(recipient, delivery, how);
    return { kind: 'settled' as const };
  };
  if (!target || address === undefined) {
    if (recipient.isRollingOut) return { kind: 'waits', for: 'code', reason: 'The code is being deployed.', freed: 0 };
    // A bot's events stay pending, so that its next endpoint receives them: see `catchUp.ts`.
    if (recipient.integrationId === undefined && !isOutgoing(delivery)) return { kind: 'settled', freed: 0 };
    return { ...(await settled({ status: 'ignored', reason: recipient.unreachable })), freed: 0 };
  }
  const [request, state] = await Promise.all([
    retryConflicts(() => requestUnlessWithheld(recipient, delivery)),
    findEndpointState(lane, address, { nowMs: clock.now() }),
  ]);
  if ('ignored' in request) return { ...(await settled({ status: 'ignored', reason: request.ignored })), freed: 0 };
  if ('isWithheld' in request) return { kind: 'settled', freed: 0 };
  if (state.slowCalls >= environment.slowCallsPerBot) {
    return { kind: 'waits', for: 'slowCalls', reason: 'The endpoint has too many slow calls in progress.', freed: 0 };
  }
  const permit = await acquirePermit(lane, address, state.breaker);
  if (!permit) return { kind: 'waits', for: 'breaker', reason: 'The endpoint is down.', freed: 0 };

  const showing = showMessageStatus(recipient, delivery, 'processing');
  const { outcome, wasSlow } = await countingSlow(lane, () =>
    callTarget(target, {
      ...request,
      headers: { ...request.headers, ...attemptHeader(head.attempts + 1) },
      timeoutMs: environment.deliveryTimeoutMs,
      statusOnly: true,
      about: delivery.id,
      isReportedByCaller: true,
    }),
  );
  await showing;
  const verdict = verdictOf(outcome);
  const { hasRecovered, isClosed } = await recordOutcome(permit, verdict, badAttemptsAt(head, address) === 0);
  const freed = hasRecovered ? CONCURRENT_DRAINS : wasSlow ? 1 : 0;
  if (verdict === 'done') return { ...(await settled({ status: 'processed' })), freed };
  const reason = isOutgoing(delivery)
    ? (failureIn(outcome, environment.deliveryTimeoutMs) ?? reasonOf(outcome))
    : reasonOf(outcome);
  const { conversationId } = orderOf(delivery.id);
  const functionName = 'url' in target ? undefined : target.running.functionName;
  reportFailure({
    botId,
    integrationId: recipient.integrationId,
    conversationId,
    eventId: delivery.id,
    attempt: head.attempts + 1,
    reason,
    functionName,
  });
  if (verdict === 'refused') {
    const status = isOutgoing(delivery) && isUnknown(delivery, reason) ? 'ignored' : 'failed';
    return { ...(await settled({ status, reason })), freed };
  }
  // An open breaker suggests a broken release. Events do not fail because of it.
  return { kind: 'failed', reason, isBad: verdict === 'bad' && isClosed, freed };
}

/** @throws WriteConflict when the handoff ended since it was read. A repetition sees its final span. */
async function requestUnlessWithheld(recipient: Recipient, delivery: Delivery) {
  const request = await recipient.requestFor(delivery);
  if (!('withheldBy' in request)) return request;
  await withhold(recipient.botId, delivery as Event, request.withheldBy);
  return { isWithheld: true } as const;
}

/** Integrations built with an SDK before 5.5 reject changes with this error. */
const isUnknown = ({ operation }: Outgoing, reason: string) =>
  operation !== 'message_created' && reason.includes(`Unknown operation ${operation}`);

/** Counts a call among the bot's slow calls while it is one. */
async function countingSlow(
  lane: Lane,
  call: () => Promise<CallOutcome>,
): Promise<{ outcome: CallOutcome; wasSlow: boolean }> {
  const callId = randomText(12);
  let counted: Promise<void> | undefined;
  const timer = clock.after(SLOW_MS, () => {
    const untilMs = clock.now() + environment.deliveryTimeoutMs + SLOW_CALL_RESERVE_MS;
    // Best effort: a failed count must not fail the call.
    counted = startSlowCall(lane, callId, untilMs).catch(error =>
      log.warn('Failed to count a slow call.', { lane, error: errorFields(error) }),
    );
  });
  const outcome = await call();
  timer.stop();
  if (!counted) return { outcome, wasSlow: false };
  await counted;
  await endSlowCall(lane, callId);
  return { outcome, wasSlow: true };
}

export function logRetry(botId: string, delivery: Delivery, reason: string): Promise<void> {
  log.info('A delivery will be retried.', { botId, eventId: delivery.id, ...measured({ deliveryRetries: 1 }) });
  return appendBotLog(botId, 'warn', `${nameOf(delivery)} could not be delivered and will be retried: ${reason}`);
}
