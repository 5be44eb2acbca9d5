/** Makes one attempt at a delivery: calls the endpoint, unless it is down or busy, and judges the response. */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { randomText } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { callTarget } from '#shared/outbound/code/callTarget.ts';
import { claimProbe } from '#shared/storage/dynamodb/delivery/breakers.ts';
import { endSlowCall, startSlowCall } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { openMsAfter, type Permit, phaseOf } from './breaker.ts';
import type { Delivery } from './deliveryRecords.ts';
import { showMessageStatus } from './messageStatus.ts';
import type { Call, Recipient } from './prepare.ts';
import { type Outcome, outcomeOf } from './verdict.ts';

export interface Attempted {
  outcome: Outcome;
  /** Undefined if the endpoint was not called. */
  called?: { permit: Permit; wasSlow: boolean };
}

export async function attempt(recipient: Recipient, delivery: Delivery, call: Call): Promise<Attempted> {
  const permit = await admit(recipient, call);
  if ('kind' in permit) return { outcome: permit };
  const timeoutMs = environment.deliveryTimeoutMs;
  const showing = recipient.shownStatuses.includes('processing')
    ? showMessageStatus(recipient, delivery, 'processing')
    : undefined;
  const { response, wasSlow } = await countingSlow(recipient, () =>
    callTarget(call.target, {
      ...call.request,
      timeoutMs,
      statusOnly: true,
      about: delivery.id,
      isReportedByCaller: true,
    }),
  );
  await showing;
  return { outcome: outcomeOf(delivery, response, timeoutMs), called: { permit, wasSlow } };
}

async function admit({ destination }: Recipient, { address, endpoint }: Call): Promise<Permit | Outcome> {
  const { breaker, slowCalls } = endpoint;
  if (slowCalls >= environment.slowCallsPerBot) {
    const reason = 'The endpoint has too many slow calls in progress.';
    return { kind: 'postponed', waitsFor: 'slowCalls', reason };
  }
  const nowMs = clock.now();
  const phase = phaseOf(breaker, nowMs);
  if (phase === 'closed') return { destination, address, breaker };
  const probeEndsMs = nowMs + environment.deliveryTimeoutMs + openMsAfter(0);
  if (phase === 'open' || !(await claimProbe(destination, breaker!, probeEndsMs))) {
    return { kind: 'postponed', waitsFor: 'breaker', reason: 'The endpoint is down.' };
  }
  return { destination, address, breaker: { ...breaker!, openUntilMs: probeEndsMs } };
}

/** Calls of at least this duration count against the bot's limit. Most calls are faster and cost no write. */
const SLOW_MS = 2_000;
/** Margin after a call's timeout, by which it has ended. */
const SLOW_CALL_RESERVE_MS = 15_000;

/** Counts the call as one of the bot's slow calls while it is slow. */
async function countingSlow<Response>(
  { destination }: Recipient,
  call: () => Promise<Response>,
): Promise<{ response: Response; wasSlow: boolean }> {
  const callId = randomText(12);
  let counted: Promise<void> | undefined;
  const timer = clock.after(SLOW_MS, () => {
    const untilMs = clock.now() + environment.deliveryTimeoutMs + SLOW_CALL_RESERVE_MS;
    // Best effort: a failed count must not fail the call.
    counted = startSlowCall(destination, callId, untilMs).catch(error =>
      log.warn('Failed to count a slow call.', { destination, error: errorFields(error) }),
    );
  });
  const response = await call();
  timer.stop();
  if (!counted) return { response, wasSlow: false };
  await counted;
  await endSlowCall(destination, callId);
  return { response, wasSlow: true };
}
