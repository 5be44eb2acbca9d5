/** Applies the outcome of a delivery: the breaker's counts, the writes and the log lines. */
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { reportFailure } from '#shared/outbound/endpoints/endpointFailures.ts';
import { type Event, setEventStatus } from '#shared/storage/dynamodb/chat/events.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Attempted } from './attempt.ts';
import { appendBotLog } from './botLog.ts';
import { recordCall } from './breaker.ts';
import { completeOutgoing } from './completeOutgoing.ts';
import { CONCURRENT_RESUMES } from './deliveryLimits.ts';
import { type Delivery, isOutgoing, nameOf, orderOf } from './deliveryRecords.ts';
import { showMessageStatus } from './messageStatus.ts';
import type { Recipient } from './prepare.ts';
import { badAttemptsAt, type Retry, retryLater } from './retry.ts';
import type { Completion, Outcome, Setback } from './verdict.ts';
import { withhold } from './withhold.ts';

interface Recorded {
  /** False once the delivery is complete, so that the next event of the conversation is delivered. */
  isPaused: boolean;
  /** Number of other conversations that the endpoint can receive now. */
  freed: number;
}

/** @throws WriteConflict when a handoff that withholds the message ended since it was read */
export async function record(
  recipient: Recipient,
  delivery: Delivery,
  { outcome, called }: Attempted,
  retry: Retry,
): Promise<Recorded> {
  const isFirstBad = badAttemptsAt(retry.history, recipient.address) === 0;
  const breaker = called && (await recordCall(called.permit, outcome, isFirstBad));
  const freed = breaker?.hasRecovered ? CONCURRENT_RESUMES : called?.wasSlow ? 1 : 0;
  if (called && 'reason' in outcome) report(recipient, delivery, outcome.reason, retry.history.attempts + 1);
  if (!isSetback(outcome)) {
    await complete(recipient, delivery, outcome);
    return { isPaused: false, freed };
  }
  // An open breaker suggests a broken release, which must not fail events.
  const isBad = outcome.kind === 'retry' && outcome.isBad && breaker?.isClosed === true;
  const lastFailure = await retryLater(recipient, delivery, { ...outcome, isBad }, retry);
  if (!lastFailure) return { isPaused: true, freed };
  await complete(recipient, delivery, lastFailure);
  return { isPaused: false, freed };
}

const isSetback = (outcome: Outcome): outcome is Setback => outcome.kind === 'retry' || outcome.kind === 'postponed';

async function complete(recipient: Recipient, delivery: Delivery, outcome: Exclude<Outcome, Setback>): Promise<void> {
  const { botId, shownStatuses } = recipient;
  if (outcome.kind === 'leftPending') return;
  if (outcome.kind === 'withheld') return withhold(botId, delivery as Event, outcome.handoff);
  if (await isStatusWritten(botId, delivery, outcome)) await logCompletion(botId, delivery, outcome);
  if (outcome.kind === 'failed' && shownStatuses.includes('failed')) {
    await showMessageStatus(recipient, delivery, 'failed');
  }
}

/** Returns false if an earlier run has written a status. */
async function isStatusWritten(botId: string, delivery: Delivery, completion: Completion): Promise<boolean> {
  try {
    if (isOutgoing(delivery)) await completeOutgoing(botId, delivery, completion);
    else {
      const failure = completion.kind === 'processed' ? {} : { failureReason: completion.reason };
      await write([setEventStatus(botId, delivery, completion.kind, () => new WriteConflict(), failure)]);
    }
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    return false;
  }
}

async function logCompletion(botId: string, delivery: Delivery, completion: Completion): Promise<void> {
  const { id: eventId } = delivery;
  switch (completion.kind) {
    case 'processed':
      log.info('Delivered.', { botId, eventId, ...measured({ deliveries: 1 }) });
      break;
    case 'failed':
      log.info('A delivery failed permanently.', { botId, eventId, ...measured({ deliveriesFailed: 1 }) });
      await appendBotLog(botId, 'error', `${nameOf(delivery)} failed: ${completion.reason}`);
  }
}

function report(recipient: Recipient, delivery: Delivery, reason: string, attempt: number): void {
  const { botId, integrationId } = recipient;
  const { conversationId } = orderOf(delivery.id);
  reportFailure({ botId, integrationId, conversationId, eventId: delivery.id, attempt, reason });
}
