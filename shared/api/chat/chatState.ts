import type { ConversationCall } from '#shared/api/operations/chat.ts';
import type { CallState, Middleware } from '#shared/api/steps/startCall.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';

export interface ChatState extends CallState, ConversationCall<Record<string, unknown>> {
  input: Record<string, unknown>;
  participant: Participant;
  read: unknown;
}

export type ChatMiddleware = Middleware<ChatState>;
