/** What a listener is told, as the chat interface's signals: the entries of a timeline, and what others show right now. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import type { Participant } from '#shared/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/dynamodb/chat/presence.ts';
import type { Entry } from '#shared/dynamodb/chat/timeline.ts';
import { EventView, loadEvent, loadMessage, MessageView, shownConversationId } from './views.ts';

const change = { conversationId: z.string(), participantId: z.string() };

export const Signal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_created'), data: z.extend(MessageView, { isBot: z.boolean() }) }),
  z.object({
    type: z.literal('event_created'),
    // No chat user can ask for an event of the bot's, so it goes without an id, as in the reference.
    data: z.extend(EventView, { id: z.nullable(z.string()), isBot: z.boolean() }),
  }),
  z.object({ type: z.literal('participant_added'), data: z.object(change) }),
  z.object({ type: z.literal('participant_removed'), data: z.object(change) }),
  z.object({
    type: z.literal('message_deleted'),
    data: z.object({ id: z.string(), conversationId: z.string(), userId: z.string() }),
  }),
  // These two are ours. The official client takes signals that it does not know for "unknown", and goes on.
  z.object({
    type: z.literal('typing'),
    data: z.object({ conversationId: z.string(), userId: z.string(), isTyping: z.boolean() }),
  }),
  z.object({
    type: z.literal('message_read'),
    data: z.object({ conversationId: z.string(), userId: z.string(), messageId: z.string(), readAt: dateTime() }),
  }),
]);
export type Signal = z.infer<typeof Signal>;

/** The signal that an entry is; its content is read from where it is stored. */
export async function loadSignal(botId: string, entry: Entry, participant: Participant): Promise<Signal> {
  const conversationId = shownConversationId(participant);
  const userId = entry.foreignUserId ?? entry.userId;
  const isBot = entry.userId === botId || entry.direction === 'outgoing';
  switch (entry.kind) {
    case 'message':
      return { type: 'message_created', data: { ...(await loadMessage(entry, participant)), isBot } };
    case 'event': {
      const event = await loadEvent(entry, participant);
      return { type: 'event_created', data: { ...event, id: isBot ? null : event.id, isBot } };
    }
    case 'participant_added':
    case 'participant_removed':
      return { type: entry.kind, data: { conversationId, participantId: userId } };
    case 'message_deleted':
      return { type: 'message_deleted', data: { id: entry.messageId!, conversationId, userId } };
  }
}

/** The signal that is what another participant shows. */
export function viewPresence(live: Presence, participant: Participant): Signal {
  const of = { conversationId: shownConversationId(participant), userId: live.foreignUserId ?? live.userId };
  return live.kind === 'typing'
    ? { type: 'typing', data: { ...of, isTyping: live.isTyping } }
    : { type: 'message_read', data: { ...of, messageId: live.messageId, readAt: iso(live.atMs) } };
}
