import { notFound } from '#shared/core/errors.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import { findLastUserMessage } from '#shared/domain/messaging/unreadHandoffs.ts';
import { recordRead } from '#shared/storage/dynamodb/chat/handoffMarks.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { findEntryAndParticipant } from '#shared/storage/dynamodb/chat/messages.ts';
import { showRead } from '#shared/storage/dynamodb/chat/presence.ts';
import { advanceReadMark, isReadBy } from '#shared/storage/dynamodb/chat/readMarks.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { requireAssignee } from './reply.ts';

/**
 * Returns the writes that advance the member's read mark and show it to end users.
 * @throws ApiError ResourceNotFound, RelationConflict for a conversation that is not assigned to the caller
 */
export async function markHandoffRead(call: ScopedCall, id: string, messageId: string): Promise<Write[]> {
  const { botId, nowMs } = call;
  const { handoff, member, conversation } = await requireAssignee(call, id);
  const { conversationId, generation = 0 } = handoff;
  const place = parseTimelineId('msg', messageId);
  if (place?.conversationId !== conversationId) throw notFound(`The message ${messageId}`);
  const { entry, participant } = await findEntryAndParticipant(botId, place, member.userId);
  if (entry?.kind !== 'message' || entry.generation !== generation) throw notFound(`The message ${messageId}`);
  const { readTo = '', isWoken = false } = handoff;
  const position = await positionRead(botId, handoff, conversation.isHitlSession, place.position);
  const isLater = position > readTo;
  // A member who was removed from the conversation has no visible read mark. Their next reply adds them again.
  const isShown = participant?.generation === generation && !isReadBy(participant, messageId);
  return [
    ...(isLater || isWoken ? [recordRead(botId, handoff, isLater ? position : readTo)] : []),
    ...(isShown
      ? [
          advanceReadMark(botId, participant, { messageId, readAtMs: nowMs }),
          showRead(botId, { ...participant, isMember: true }, messageId, nowMs),
        ]
      : []),
  ];
}

/**
 * Returns the position up to which the member has read. It includes deleted messages after the given one: the stream
 * updates `userMessageTo` about a second after a deletion.
 */
async function positionRead(botId: string, handoff: Handoff, isHitlSession: boolean | undefined, position: string) {
  const { userMessageTo = '' } = handoff;
  if (position >= userMessageTo) return position;
  const last = await findLastUserMessage(botId, handoff, isHitlSession);
  return last === undefined || last <= position ? userMessageTo : position;
}
