/** Views of timeline entries. Without their schemas, which the delivery of signals does not need. */
import type * as z from 'zod/mini';
import { iso } from '#shared/api/views.ts';
import { timelineId } from '#shared/core/ids.ts';
import { toChatContent } from '#shared/domain/messaging/payloadForms.ts';
import { createdAtMs, type Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { EventView, MessageView } from './chatViews.ts';

/** The conversation as its participants see it. */
export type Viewer = Pick<Participant, 'conversationId' | 'foreignConversationId'>;

export const shownConversationId = (viewer: Viewer) => viewer.foreignConversationId ?? viewer.conversationId;

type Content = Pick<z.infer<typeof MessageView>, 'payload' | 'metadata'>;

export const viewMessage = (entry: Entry, viewer: Viewer, content: Content): z.infer<typeof MessageView> => ({
  id: timelineId('msg', viewer.conversationId, entry.position),
  createdAt: iso(createdAtMs(entry)),
  payload: content.payload,
  userId: entry.foreignUserId ?? entry.userId,
  conversationId: shownConversationId(viewer),
  metadata: content.metadata,
  feedback: entry.feedback,
});

export async function loadMessage(entry: Entry, viewer: Viewer): Promise<z.infer<typeof MessageView>> {
  const value = await loadValue(entry.payload!);
  const content =
    entry.type === undefined
      ? entry.hasMetadata
        ? value
        : { payload: value }
      : // A message from the botChat API.
        toChatContent({ type: entry.type, payload: value as Record<string, unknown> });
  return viewMessage(entry, viewer, content as Content);
}

export const viewEvent = (
  entry: Entry,
  viewer: Viewer,
  payload: Record<string, unknown>,
): z.infer<typeof EventView> => ({
  id: timelineId('evt', viewer.conversationId, entry.position),
  createdAt: iso(createdAtMs(entry)),
  payload,
  conversationId: shownConversationId(viewer),
  userId: entry.foreignUserId ?? entry.userId,
});

export const loadEvent = async (entry: Entry, viewer: Viewer) =>
  viewEvent(entry, viewer, (await loadValue(entry.payload!)) as Record<string, unknown>);
