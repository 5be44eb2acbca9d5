/** The chat integration's action `sendEvent`, which sends a bot's custom event to listeners of a conversation. */
import * as z from 'zod/mini';
import { newPosition } from '#shared/core/ids.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import type { CallerScope } from '#shared/domain/messaging/callerScope.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { parseActionInput } from './actionInputs.ts';

const Input = z.object({ conversationId: z.string(), payload: z.record(z.string(), z.any()) });

export async function sendEvent(scope: CallerScope, input: unknown): Promise<Record<string, unknown>> {
  const { conversationId, payload } = parseActionInput(Input, input);
  return appendBotEvent(scope, conversationId, payload);
}

export async function appendBotEvent(
  scope: CallerScope,
  conversationId: string,
  payload: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { botId } = scope;
  const { id, generation } = await requireConversation(scope, conversationId);
  const stored = await storeValue(botId, payload);
  await write([
    appendEntry(botId, id, {
      kind: 'event',
      position: newPosition(),
      userId: botId,
      direction: 'outgoing',
      generation,
      payload: stored,
    }),
  ]);
  return {};
}
