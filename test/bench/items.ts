/** Messages and files as the platform writes them, for sections that write them directly. */

import { fileIdOf, newPosition, resolveUserId } from '#shared/core/ids.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { participantKey } from '#shared/storage/dynamodb/keys/chat.ts';

const FOREIGN_USER_ID = 'demo-user';

export interface ConversationRef {
  webhookId: string;
  botId: string;
  conversationId: string;
}

const userIdOf = ({ webhookId }: ConversationRef) => resolveUserId(webhookId, FOREIGN_USER_ID)!;

/** The key of the item that createMessage reads first. */
export const ownParticipantKey = (place: ConversationRef) =>
  participantKey(place.botId, place.conversationId, userIdOf(place));

/** The item that createMessage appends to the timeline. */
export function newMessageItem(place: ConversationRef, payload: unknown) {
  const part = appendEntry(place.botId, place.conversationId, {
    kind: 'message',
    position: newPosition(),
    userId: userIdOf(place),
    foreignUserId: FOREIGN_USER_ID,
    generation: 0,
    payload: { p: JSON.stringify(payload) },
  });
  if (!('put' in part)) throw new Error('createMessage no longer writes with a put: adapt the floor.');
  return part.put.Item;
}

/** Returns an uploaded file without an index. */
export const newFile = (botId: string, key: string, tags: Record<string, string>, createdAtMs: number) => ({
  id: fileIdOf(botId, 'bot', key),
  key,
  scope: 'bot',
  owner: { type: 'bot' as const, id: botId },
  tags,
  metadata: '{}',
  policies: [],
  index: false,
  contentType: 'text/plain',
  status: 'upload_completed' as const,
  secret: 'x'.repeat(24),
  createdAtMs,
});
