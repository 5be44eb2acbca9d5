/** Limit of participants, because all of them are read and removed together. */

import { environment } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import { hasParticipants } from '#shared/storage/dynamodb/chat/participants.ts';

export async function requireRoomForParticipant(botId: string, conversationId: string): Promise<void> {
  const limit = environment.participantLimit;
  if (!(await hasParticipants(botId, conversationId, limit))) return;
  throw new ApiError(
    'LimitExceeded',
    `A conversation may have ${limit} participants. Remove some, or create another conversation.`,
    { metadata: { limit } },
  );
}
