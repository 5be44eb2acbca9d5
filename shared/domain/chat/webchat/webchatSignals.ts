import * as z from 'zod/mini';
import { MESSAGE_FAILURE, Signal, viewPresence } from '#shared/domain/chat/chatSignals.ts';
import {
  ConversationView,
  MessageView,
  ParticipantView,
  UserView,
  viewOtherUser,
} from '#shared/domain/chat/chatViews.ts';
import { loadSignal } from '#shared/domain/chat/loadSignal.ts';
import { loadMessage } from '#shared/domain/chat/timelineViews.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { findAnyUser } from '#shared/storage/dynamodb/chat/users.ts';
import { webchatMessage } from './form.ts';

/** The client shows the indicator for this time after each signal. */
const TYPING_MS = 5_000;

const VISIBILITIES = ['show', 'hide', 'toggle'] as const;

const MessageSignalData = z.extend(MessageView, { isBot: z.boolean() });

export const Init = z.object({
  type: z.literal('init'),
  data: z.object({
    conversation: ConversationView,
    messages: z.array(MessageView),
    participants: z.array(ParticipantView),
    user: z.extend(UserView, { userKey: z.string() }),
  }),
});

const [, eventCreated, , participantRemoved, messageDeleted, , messageRead] = Signal.def.options;

export const WebchatSignal = z.discriminatedUnion('type', [
  Init,
  z.object({ type: z.literal('message_created'), data: MessageSignalData }),
  z.object({ type: z.literal('message_updated'), data: MessageSignalData }),
  z.object({
    type: z.literal('message_status_changed'),
    data: z.object({
      message: MessageView,
      newStatus: z.enum(['processing', 'failed']),
      failureReason: z.optional(z.string()),
    }),
  }),
  eventCreated,
  z.object({
    type: z.literal('participant_added'),
    data: z.object({ conversationId: z.string(), participantId: z.string(), participant: UserView }),
  }),
  participantRemoved,
  messageDeleted,
  messageRead,
  z.object({
    type: z.literal('typing_started'),
    data: z.object({ conversationId: z.string(), userId: z.string(), timeout: z.number() }),
  }),
  z.object({
    type: z.literal('typing_stopped'),
    data: z.object({ conversationId: z.string(), userId: z.string() }),
  }),
  z.object({
    type: z.literal('webchat_visibility'),
    data: z.object({ visibility: z.enum(VISIBILITIES) }),
  }),
  z.object({
    type: z.literal('webchat_config'),
    data: z.object({ config: z.record(z.string(), z.any()) }),
  }),
  z.object({ type: z.literal('custom'), data: z.object({ event: z.record(z.string(), z.any()) }) }),
]);
type WebchatSignal = z.infer<typeof WebchatSignal>;

export async function loadWebchatSignal(
  botId: string,
  entry: Entry,
  participant: Participant,
): Promise<WebchatSignal | undefined> {
  const signal = await loadSignal(botId, entry, participant);
  switch (signal?.type) {
    case 'message_created':
    case 'message_updated':
      return { type: signal.type, data: webchatMessage(signal.data) };
    case 'event_created':
      return signal.data.isBot ? botEvent(signal.data.payload) : signal;
    case 'participant_added': {
      const user = await findAnyUser(botId, entry.userId);
      const { conversationId, participantId } = signal.data;
      return (
        user && {
          type: 'participant_added',
          data: { conversationId, participantId, participant: viewOtherUser(user, '') },
        }
      );
    }
    case 'typing':
    case 'handoff':
      return undefined;
    default:
      return signal;
  }
}

/** Events that the client interprets. It forwards other events to the page. */
const BotEvent = z.union([
  z.object({ type: z.literal('webchat_visibility'), visibility: z.enum(VISIBILITIES) }),
  z.object({ type: z.literal('webchat_config'), config: z.record(z.string(), z.any()) }),
]);

function botEvent(payload: Record<string, unknown>): WebchatSignal {
  const { data: known } = BotEvent.safeParse(payload);
  if (known?.type === 'webchat_visibility') return { type: known.type, data: { visibility: known.visibility } };
  if (known?.type === 'webchat_config') return { type: known.type, data: { config: known.config } };
  return { type: 'custom', data: { event: payload } };
}

export async function loadWebchatPresence(
  botId: string,
  presence: Presence,
  participant: Participant,
): Promise<WebchatSignal | undefined> {
  if (presence.kind === 'status') {
    const { position, status } = presence;
    const entry = await findEntry(botId, participant.conversationId, position);
    if (entry?.kind !== 'message' || entry.generation !== participant.generation) return undefined;
    const message = webchatMessage(await loadMessage(entry, participant));
    const failureReason = status === 'failed' ? MESSAGE_FAILURE : undefined;
    return { type: 'message_status_changed', data: { message, newStatus: status, failureReason } };
  }
  // The client has no such signal. It shows the member as a participant.
  if (presence.kind === 'handoff') return undefined;
  const signal = viewPresence(botId, presence, participant);
  if (signal?.type !== 'typing') return signal as WebchatSignal | undefined;
  const { isTyping, ...who } = signal.data;
  return isTyping
    ? { type: 'typing_started', data: { ...who, timeout: TYPING_MS } }
    : { type: 'typing_stopped', data: who };
}
