/**
 * Outcomes of deliveries, and the mapping of a call's response to an outcome. Pure: `record.ts` applies the effects.
 */
import { startOf } from '#shared/core/excerpt.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { failureIn } from '#shared/outbound/installations/callIntegration.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Outgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { type Delivery, isOutgoing, isSignal } from './deliveryRecords.ts';

/** Completes a delivery: it is not attempted again. */
export type Completion = { kind: 'processed' } | { kind: 'failed' | 'ignored'; reason: string };

/** Pauses the conversation, unless this was the last attempt. */
export type Setback =
  /** `isBad`: the endpoint works, but cannot handle the event. */
  | { kind: 'retry'; reason: string; isBad: boolean }
  /** The endpoint was not called. */
  | { kind: 'postponed'; waitsFor: 'breaker' | 'slowCalls' | 'code'; reason: string };

export type Outcome =
  | Completion
  | Setback
  /** The handoff withholds the message from the bot. */
  | { kind: 'withheld'; handoff: Handoff }
  /** The bot has no endpoint. Its next endpoint receives the event: see `catchUp.ts`. */
  | { kind: 'leftPending' };

export function outcomeOf(delivery: Delivery, response: CallOutcome, timeoutMs: number): Outcome {
  const verdict = verdictOf(response);
  if (verdict === 'done') return { kind: 'processed' };
  const reason = reasonFor(delivery, response, timeoutMs);
  if (verdict !== 'refused') return { kind: 'retry', reason, isBad: verdict === 'bad' };
  return { kind: isOutgoing(delivery) && isUnknown(delivery, reason) ? 'ignored' : 'failed', reason };
}

function reasonFor(delivery: Delivery, response: CallOutcome, timeoutMs: number): string {
  // The response may repeat the secret of the webhook, and the reason is logged.
  if (isSignal(delivery) && response.kind === 'answered') return reasonOf({ ...response, text: '' }, timeoutMs);
  const ownReason = isOutgoing(delivery) && !isSignal(delivery) ? failureIn(response, timeoutMs) : undefined;
  return ownReason ?? reasonOf(response, timeoutMs);
}

/**
 * Consequence of a call: `done` processed; `refused` failed without a retry; `bad` unable to handle this event, so the
 * conversation continues without it after a few attempts; `again` down or overloaded, so the conversation waits.
 */
type Verdict = 'done' | 'refused' | 'bad' | 'again';

export function verdictOf(response: CallOutcome): Verdict {
  if (response.kind === 'crashed') return response.ranOutOfTime ? 'again' : 'bad';
  if (response.kind !== 'answered') return 'again';
  const { status } = response;
  if (status >= 200 && status < 300) return 'done';
  if (status === TOO_MANY_REQUESTS) return 'again';
  if (status >= 400 && status < 500) return 'refused';
  return status >= 500 && !isOfProxy(status) ? 'bad' : 'again';
}

const TOO_MANY_REQUESTS = 429;

/** Statuses of load balancers, tunnels and CDNs whose origin is down. 520 to 530 are Cloudflare's. */
const isOfProxy = (status: number) => (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

export function reasonOf(response: CallOutcome, timeoutMs: number): string {
  switch (response.kind) {
    case 'timedOut':
      return `The endpoint did not respond within ${timeoutMs / 1000} seconds.`;
    case 'failed':
      return `The endpoint could not be called: ${response.reason}.`;
    case 'crashed':
      return `${response.reason}.`;
    case 'answered': {
      const excerpt = startOf(response.text, 500);
      return `The endpoint returned ${response.status}${excerpt ? `: ${excerpt}` : '.'}`;
    }
  }
}

/** Integrations built with an SDK before 5.5 reject changes with this error. */
const isUnknown = ({ operation }: Outgoing, reason: string) =>
  operation !== 'message_created' && reason.includes(`Unknown operation ${operation}`);
