/** What the steps of the chat interface's chain know of a call. */
import type { CallState, Middleware } from '#shared/api/steps/startCall.ts';
import type { Participant } from '#shared/dynamodb/chat/participants.ts';
import type { ConversationCall } from './operation.ts';

export interface ChatState extends CallState, ConversationCall<Record<string, unknown>> {
  input: Record<string, unknown>;
  participant: Participant;
  read: unknown;
}

export type ChatMiddleware = Middleware<ChatState>;
