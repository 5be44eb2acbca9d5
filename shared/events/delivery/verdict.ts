import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { type Event, setEventStatus } from '#shared/storage/dynamodb/chat/events.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/transaction.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { settleOutgoing } from './completeOutgoing.ts';
import { type Delivery, isOutgoing, type Settlement } from './records.ts';

/**
 * Consequence of a call: `done` processed; `refused` failed without a retry; `bad` unable to handle this event, so the
 * conversation continues without it after a few attempts; `again` down or overloaded, so the conversation waits.
 */
export type Verdict = 'done' | 'refused' | 'bad' | 'again';

export function verdictOf(outcome: CallOutcome): Verdict {
  if (outcome.kind === 'crashed') return outcome.ranOutOfTime ? 'again' : 'bad';
  if (outcome.kind !== 'answered') return 'again';
  const { status } = outcome;
  if (status >= 200 && status < 300) return 'done';
  if (status === TOO_MANY_REQUESTS) return 'again';
  if (status >= 400 && status < 500) return 'refused';
  return status >= 500 && !isOfProxy(status) ? 'bad' : 'again';
}

const TOO_MANY_REQUESTS = 429;

/** Statuses of load balancers, tunnels and CDNs whose origin is down. 520 to 530 are Cloudflare's. */
const isOfProxy = (status: number) => (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

export function reasonOf(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'timedOut':
      return `The endpoint did not respond within ${environment.deliveryTimeoutMs / 1000} seconds.`;
    case 'failed':
      return `The endpoint could not be called: ${outcome.reason}.`;
    case 'crashed':
      return `${outcome.reason}.`;
    case 'answered': {
      const excerpt = startOf(outcome.text, 500);
      return `The endpoint returned ${outcome.status}${excerpt ? `: ${excerpt}` : '.'}`;
    }
  }
}

export async function settle(botId: string, delivery: Delivery, settlement: Settlement): Promise<void> {
  try {
    if (isOutgoing(delivery)) await settleOutgoing(botId, delivery, settlement);
    else await settleEvent(botId, delivery, settlement);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    return;
  }
  if (settlement.status !== 'ignored') {
    const isDone = settlement.status === 'processed';
    log.info(isDone ? 'Delivered.' : 'A delivery failed permanently.', {
      botId,
      eventId: delivery.id,
      ...measured({ [isDone ? 'deliveries' : 'deliveriesFailed']: 1 }),
    });
  }
  if (settlement.status === 'failed')
    await appendBotLog(botId, 'error', `${nameOf(delivery)} failed: ${settlement.reason}`);
}

const settleEvent = (botId: string, event: Event, settlement: Settlement) =>
  write([
    setEventStatus(
      botId,
      event,
      settlement.status,
      () => new WriteConflict(),
      settlement.status === 'processed' ? {} : { failureReason: settlement.reason },
    ),
  ]);

export const nameOf = (delivery: Delivery): string =>
  isOutgoing(delivery)
    ? `${delivery.operation} of ${delivery.messageId ?? delivery.conversationId} to the integration`
    : `The event ${delivery.id} (${delivery.type})`;

export const appendBotLog = (botId: string, level: 'warn' | 'error', message: string) =>
  write([putLogLine(botId, { timestampMs: clock.now(), level, message })]);
