import { parseTimelineId } from '#shared/core/ids.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import type { Signal } from './chatSignals.ts';
import { loadEvent, loadMessage, shownConversationId, type Viewer } from './timelineViews.ts';

/** Loads the signal of a timeline entry; undefined for a change of a deleted message. */
export async function loadSignal(botId: string, entry: Entry, viewer: Viewer): Promise<Signal | undefined> {
  const conversationId = shownConversationId(viewer);
  const userId = entry.foreignUserId ?? entry.userId;
  const isBot = entry.userId === botId || entry.direction === 'outgoing';
  switch (entry.kind) {
    case 'message':
      return { type: 'message_created', data: { ...(await loadMessage(entry, viewer)), isBot } };
    case 'message_updated': {
      const { position } = parseTimelineId('msg', entry.messageId!)!;
      const message = await findEntry(botId, viewer.conversationId, position);
      if (message?.kind !== 'message' || message.generation !== entry.generation) return undefined;
      return { type: 'message_updated', data: { ...(await loadMessage(message, viewer)), isBot } };
    }
    case 'event': {
      const event = await loadEvent(entry, viewer);
      return { type: 'event_created', data: { ...event, id: isBot ? null : event.id, isBot } };
    }
    case 'participant_added':
    case 'participant_removed':
      return { type: entry.kind, data: { conversationId, participantId: userId } };
    case 'message_deleted':
      return { type: 'message_deleted', data: { id: entry.messageId!, conversationId, userId } };
  }
}
