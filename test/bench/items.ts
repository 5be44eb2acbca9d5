/** Items of a conversation as the platform itself writes them, for those who write them past it. */

import { appendEntry } from '#shared/dynamodb/chat/timeline.ts';
import { participantKey } from '#shared/dynamodb/keys/chat.ts';
import { newPosition, resolveUserId } from '#shared/ids.ts';

const FOREIGN_USER_ID = 'demo-user';

export interface Place {
  webhookId: string;
  botId: string;
  conversationId: string;
}

const userIdOf = ({ webhookId }: Place) => resolveUserId(webhookId, FOREIGN_USER_ID)!;

/** The key of what create message reads first. */
export const ownParticipantKey = (place: Place) => participantKey(place.botId, place.conversationId, userIdOf(place));

/** What create message writes, at the end of the timeline. */
export function newMessageItem(place: Place, payload: unknown) {
  const part = appendEntry(place.botId, place.conversationId, {
    kind: 'message',
    position: newPosition(),
    userId: userIdOf(place),
    foreignUserId: FOREIGN_USER_ID,
    generation: 0,
    payload: { p: JSON.stringify(payload) },
  });
  if (!('put' in part)) throw new Error('A message is no longer written by a put: measure anew what it costs.');
  return part.put.Item;
}
