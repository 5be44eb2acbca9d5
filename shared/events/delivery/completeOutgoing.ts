import { startOf } from '#shared/core/excerpt.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { DELIVERY_FAILED } from '#shared/domain/messaging/eventTypes.ts';
import { findSubscriptions } from '#shared/storage/dynamodb/bots/bots.ts';
import { newEventId, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { type Outgoing, setOutgoingStatus } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { markUndelivered } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { isSignal } from './deliveryRecords.ts';
import type { Completion } from './verdict.ts';

const TAG_LENGTH = 500;

/** Completes an outbound record and reports a failure to the bot. @throws WriteConflict when it was completed before */
export async function completeOutgoing(botId: string, outgoing: Outgoing, completion: Completion): Promise<void> {
  const { kind: status } = completion;
  const reason = status === 'processed' ? undefined : completion.reason;
  const failure = status === 'failed' ? reason : undefined;
  // Written before the status, so that the record is completed again after a crash in between.
  if (failure !== undefined || outgoing.replays) await mark(botId, outgoing, failure);
  await write([
    setOutgoingStatus(botId, outgoing, status, reason === undefined ? {} : { failureReason: reason }),
    ...(failure === undefined || isSignal(outgoing) ? [] : await failureEvent(botId, outgoing, failure)),
  ]);
}

async function mark(botId: string, { operation, messageId }: Outgoing, reason: string | undefined): Promise<void> {
  const ref = operation === 'message_created' && messageId ? parseTimelineId('msg', messageId) : undefined;
  if (ref) await markUndelivered(botId, ref, reason && startOf(reason, TAG_LENGTH));
}

/** Empty unless the bot subscribes to failures. */
async function failureEvent(
  botId: string,
  { operation, conversationId, messageId, generation }: Outgoing,
  reason: string,
) {
  if (!(await findSubscriptions(botId)).includes(DELIVERY_FAILED)) return [];
  return putNewEvent(botId, {
    id: newEventId({ conversationId }),
    type: DELIVERY_FAILED,
    status: 'pending',
    conversationId,
    messageId,
    generation,
    ...(await storeValue(botId, { operation, conversationId, messageId, reason })),
  });
}
