/** Signals of the chat API, derived from timeline entries and presence (docs/api/chat.md#signals). */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { parseTimelineId, timelineId } from '#shared/core/ids.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { EventView, loadEvent, loadMessage, MessageView, shownConversationId, type Viewer } from './chatViews.ts';

const change = { conversationId: z.string(), participantId: z.string() };

export const Signal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_created'), data: z.extend(MessageView, { isBot: z.boolean() }) }),
  z.object({
    type: z.literal('event_created'),
    // The bot's events have no id, because chat users cannot read them.
    data: z.extend(EventView, { id: z.nullable(z.string()), isBot: z.boolean() }),
  }),
  z.object({ type: z.literal('participant_added'), data: z.object(change) }),
  z.object({ type: z.literal('participant_removed'), data: z.object(change) }),
  z.object({
    type: z.literal('message_deleted'),
    data: z.object({ id: z.string(), conversationId: z.string(), userId: z.string() }),
  }),
  // Extensions of Parley. The official client ignores unknown types.
  z.object({
    type: z.literal('typing'),
    data: z.object({ conversationId: z.string(), userId: z.string(), isTyping: z.boolean() }),
  }),
  z.object({
    type: z.literal('message_read'),
    data: z.object({ conversationId: z.string(), userId: z.string(), messageId: z.string(), readAt: dateTime() }),
  }),
  z.object({
    type: z.literal('handoff'),
    data: z.object({
      conversationId: z.string(),
      status: z.enum(['waiting', 'served', 'closed']),
      userId: z.optional(z.string()),
    }),
  }),
  z.object({ type: z.literal('message_updated'), data: z.extend(MessageView, { isBot: z.boolean() }) }),
]);
export type Signal = z.infer<typeof Signal>;

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

export async function loadSignalText(botId: string, entry: Entry, viewer: Viewer): Promise<string | undefined> {
  const signal = await loadSignal(botId, entry, viewer);
  return signal && JSON.stringify(Signal.parse(signal));
}

/** Replaces the bot's error message, which may contain code, data or other users. */
export const MESSAGE_FAILURE = 'The bot could not process the message.';

export function viewPresence(botId: string, presence: Presence, participant: Participant): Signal | undefined {
  if (presence.kind === 'status') {
    return presence.status === 'failed' ? viewFailure(botId, presence, participant) : undefined;
  }
  if (presence.kind === 'handoff') {
    const { status, memberUserId } = presence;
    const userId = status === 'served' ? memberUserId : undefined;
    return { type: 'handoff', data: { conversationId: shownConversationId(participant), status, userId } };
  }
  const common = {
    conversationId: shownConversationId(participant),
    userId: presence.foreignUserId ?? presence.userId,
  };
  return presence.kind === 'typing'
    ? { type: 'typing', data: { ...common, isTyping: presence.isTyping } }
    : { type: 'message_read', data: { ...common, messageId: presence.messageId, readAt: iso(presence.atMs) } };
}

/** Reports a failure as an event of the bot, because the contract has no signal for it. */
function viewFailure(
  botId: string,
  { position, atMs }: Extract<Presence, { kind: 'status' }>,
  participant: Participant,
): Signal {
  const messageId = timelineId('msg', participant.conversationId, position);
  return {
    type: 'event_created',
    data: {
      id: null,
      createdAt: iso(atMs),
      payload: { type: MESSAGE_FAILED, messageId, failureReason: MESSAGE_FAILURE },
      conversationId: shownConversationId(participant),
      userId: botId,
      isBot: true,
    },
  };
}

const MESSAGE_FAILED = 'message_failed';
