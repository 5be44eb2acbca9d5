import { dropParticipations } from '#shared/storage/dynamodb/chat/participations.ts';
import { markUserEnding, removeEndingUser, type UserRef } from '#shared/storage/dynamodb/chat/users.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { isTimeLeftUntil } from './isTimeLeftUntil.ts';

/**
 * Deletes a user with all participations, so that their key has no access on return. The id can be reused after the
 * last participation is deleted. A sweep finishes an interrupted or long deletion.
 * @throws ApiError ResourceNotFound
 */
export async function endUser(
  here: Pick<Webhook, 'botId' | 'webhookId'>,
  user: UserRef,
  { shownId, nowMs, deadlineMs }: { shownId: string; nowMs: number; deadlineMs: number },
): Promise<void> {
  const ending = await markUserEnding(here, user, { shownId, nowMs });
  const everything = Number.POSITIVE_INFINITY;
  const { isDone } = await dropParticipations(here.botId, ending, everything, isTimeLeftUntil(deadlineMs));
  if (isDone) await removeEndingUser(here.botId, ending);
}
