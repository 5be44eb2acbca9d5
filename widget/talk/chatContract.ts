/** Types of the chat API, inferred from its operations. The bundle contains none of their code. */
import type * as z from 'zod/mini';
import type { Signal } from '#shared/domain/chat/chatSignals.ts';
import type {
  ConversationView,
  ConversationWithHandoff,
  EventView,
  MessageView,
  ParticipantView,
  UserView,
} from '#shared/domain/chat/chatViews.ts';
import type { UploadedFileView } from '#shared/domain/fileRecords/conversationFiles.ts';

export type Message = z.infer<typeof MessageView>;
export type ChatEvent = z.infer<typeof EventView>;
export type User = z.infer<typeof UserView>;
export type Conversation = z.infer<typeof ConversationView>;
export type OpenConversation = z.infer<typeof ConversationWithHandoff>;
export type Handoff = NonNullable<OpenConversation['handoff']>;
export type Participant = z.infer<typeof ParticipantView>;
export type UploadedFile = z.infer<typeof UploadedFileView>;

/** A part of a reply that the bot generates. Parts may be lost, repeated and out of order. */
export interface StreamDelta {
  streamId: string;
  conversationId: string;
  userId: string;
  createdAt: string;
  clientMessageId?: string | undefined;
  /** Counts from 0 or 1. */
  sequence: number;
  delta: string;
}

export type LiveSignal =
  | Signal
  | { type: 'message_stream_delta'; data: StreamDelta }
  /** `message_created` follows. */
  | { type: 'message_stream_complete'; data: { streamId: string; message: Message } }
  | { type: 'message_stream_abort'; data: { streamId: string; conversationId: string } };

/** Bots may send any object, so payloads must be checked before use. */
export type AnyPayload = { type: string } & Record<string, unknown>;

/** A payload that the widget sends. A choice is a text with the chosen `value`, as in the official webchat. */
export type Said =
  | { type: 'text'; text: string; value?: string }
  | { type: 'image'; imageUrl: string }
  | { type: 'audio'; audioUrl: string }
  | { type: 'video'; videoUrl: string }
  | { type: 'file'; fileUrl: string; title: string };

/** The page of the visitor. */
export interface Visit {
  url: string;
  title?: string | undefined;
  referrer?: string | undefined;
  language?: string | undefined;
  timeZone?: string | undefined;
}
