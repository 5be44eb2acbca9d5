/** Signals of the chat API, derived from timeline entries and presence (docs/api/chat.md#signals). */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { timelineId } from '#shared/core/ids.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { EventView, MessageView } from './chatViews.ts';
import { shownConversationId } from './timelineViews.ts';

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
