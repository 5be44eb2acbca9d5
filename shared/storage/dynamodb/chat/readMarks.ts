import { ApiError } from '#shared/core/errors.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { participantKey } from '#shared/storage/dynamodb/keys/chat.ts';
import type { Participant } from './participants.ts';

/** Message ids of a conversation sort chronologically. */
export const isReadBy = ({ readMessageId }: Participant, messageId: string) =>
  readMessageId !== undefined && readMessageId >= messageId;

/** Advances the read mark. Fails with {@link AlreadyRead} if it is not behind, and after the user left. */
export const advanceReadMark = (
  botId: string,
  { conversationId, userId, generation, joinedAtMs }: Participant,
  { messageId, readAtMs }: { messageId: string; readAtMs: number },
): Write => ({
  update: {
    Key: participantKey(botId, conversationId, userId),
    UpdateExpression: 'SET readMessageId = :message, readAtMs = :at',
    ConditionExpression:
      'generation = :generation AND joinedAtMs = :joined AND (attribute_not_exists(readMessageId) OR readMessageId < :message)',
    ExpressionAttributeValues: {
      ':message': messageId,
      ':at': readAtMs,
      ':generation': generation,
      ':joined': joinedAtMs,
    },
  },
  onRefused: existing =>
    existing?.generation === generation && existing.joinedAtMs === joinedAtMs
      ? new AlreadyRead()
      : new ApiError('Forbidden', 'You are no longer a participant of this conversation.'),
});

export class AlreadyRead extends Error {
  override readonly name = 'ReadFurther';
}
