import { notFound } from '#shared/core/errors.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { type CallerScope, canSee } from '#shared/domain/messaging/callerScope.ts';
import { type FoundMessage, findMessage } from '#shared/storage/dynamodb/chat/messages.ts';

/** Costs one read. @throws ApiError ResourceNotFound */
export async function requireMessage(scope: CallerScope, id: string): Promise<FoundMessage> {
  const ref = parseTimelineId('msg', id);
  const found = ref && (await findMessage(scope.botId, ref));
  if (!found || !canSee(scope, found.conversation)) throw notFound(`The message ${id}`);
  return found;
}
