/** The chat integration's action `sendEvent`: sends a bot's custom event to the listeners of a conversation. */
import * as z from 'zod/mini';
import { requireConversation } from '#shared/botChat/conversations.ts';
import { appendEntry } from '#shared/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/dynamodb/largeValue.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { ApiError } from '#shared/errors.ts';
import { newPosition } from '#shared/ids.ts';
import type { CallerScope } from '#shared/messaging/callerScope.ts';

const Input = z.object({ conversationId: z.string(), payload: z.record(z.string(), z.any()) });

/** @throws ApiError InvalidPayload, ResourceNotFound for the conversation */
export async function sendEvent(scope: CallerScope, input: unknown): Promise<Record<string, unknown>> {
  const parsed = Input.safeParse(input);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['input', ...path].join('.'), message }));
    const message = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new ApiError('InvalidPayload', message, { metadata: { issues } });
  }
  const { botId } = scope;
  const { id, generation } = await requireConversation(scope, parsed.data.conversationId);
  const payload = await storeValue(botId, parsed.data.payload);
  await write([
    appendEntry(botId, id, {
      kind: 'event',
      position: newPosition(),
      userId: botId,
      direction: 'outgoing',
      generation,
      payload,
    }),
  ]);
  return {};
}
