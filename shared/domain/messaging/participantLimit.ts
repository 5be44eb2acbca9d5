/** The limit of participants: what is read for all of them at once, and removed with them, has a bound. */

import { environment } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import { hasParticipants } from '#shared/storage/dynamodb/chat/participants.ts';

/** @throws ApiError LimitExceeded when no more may take part in the conversation */
export async function requireRoomForParticipant(botId: string, conversationId: string): Promise<void> {
  const limit = environment.participantLimit;
  if (!(await hasParticipants(botId, conversationId, limit))) return;
  throw new ApiError(
    'LimitExceeded',
    `A conversation may have ${limit} participants. Remove some, or create another conversation.`,
    { metadata: { limit } },
  );
}
