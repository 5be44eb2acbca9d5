import type * as z from 'zod/mini';
import { present } from '#shared/api/platform/tagInputs.ts';
import { newPosition, positionAt } from '#shared/core/ids.ts';
import { addParticipantWrites } from '#shared/domain/botChat/addParticipantWrites.ts';
import { type MessageView, viewMessage } from '#shared/domain/messaging/botViews/messageView.ts';
import { authorOf, type ScopedCall, storedNames } from '#shared/domain/messaging/callerScope.ts';
import type { GetOrCreateResult } from '#shared/domain/messaging/getOrCreate.ts';
import { requireRoomForParticipant } from '#shared/domain/messaging/participantLimit.ts';
import { dueMsOf } from '#shared/domain/messaging/schedule.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findForNewMessage } from '#shared/storage/dynamodb/chat/messages.ts';
import { findLastPostponed, postponeEntry } from '#shared/storage/dynamodb/chat/postponed.ts';
import { appendEntry, taggedMessage } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Tags, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { contextFrom, type MessageContext, partiesOf } from './messageContext.ts';

export interface MessageInput {
  payload: Record<string, unknown>;
  userId: string;
  conversationId: string;
  type: string;
  tags: Record<string, string | null>;
  schedule?: { dateTime?: string | undefined; delay?: number | undefined } | undefined;
  origin?: 'synthetic' | undefined;
}

export interface MessageOptions {
  importedAtMs?: number | undefined;
  context?: MessageContext | undefined;
}

/**
 * Creates a message with one read, regardless of other messages with the same tags.
 * @throws ApiError ResourceNotFound for the conversation or user, QuotaExceeded
 */
export async function createMessage(
  call: ScopedCall,
  input: MessageInput,
  { importedAtMs, context: knownContext }: MessageOptions = {},
): Promise<GetOrCreateResult<z.infer<typeof MessageView>>> {
  const parties = partiesOf(call, input);
  const tags = storedNames(call, present(input.tags));
  const found = await findForNewMessage(call.botId, { parties: knownContext ? undefined : parties, tags });
  const context = knownContext ?? contextFrom(call, input, found.parties!);
  const { entry, writes } = await composeMessage(call, input, {
    context,
    tags,
    areKnown: found.areKnown,
    importedAtMs,
  });
  return { record: viewMessage(call, input.conversationId, entry, input), isNew: true, writes };
}

export async function composeMessage(
  call: ScopedCall,
  input: MessageInput,
  {
    context: { conversation, user, isParticipant, isNew },
    tags,
    areKnown,
    importedAtMs,
  }: { context: MessageContext; tags: Tags; areKnown: boolean[]; importedAtMs: number | undefined },
): Promise<{ entry: Entry; writes: Write[] }> {
  const { botId, installation, nowMs } = call;
  const dueMs = dueMsOf(input.schedule, nowMs);
  const isPostponed = dueMs !== undefined && dueMs > nowMs;
  const payload = await storeValue(botId, input.payload);
  if (user && !isParticipant && !isNew?.conversation) await requireRoomForParticipant(botId, conversation.id);
  const joining = user && !isParticipant ? addParticipantWrites(botId, conversation, user, { nowMs, isNew }) : [];
  // Determined last, because listeners receive messages immediately and lists are sorted by position. It must follow
  // the position at which the user joined.
  const position =
    importedAtMs !== undefined
      ? positionAt(importedAtMs)
      : isPostponed
        ? positionAt(dueMs, await findLastPostponed(botId, conversation.id, dueMs))
        : newPosition();
  const entry: Entry = {
    kind: 'message',
    position,
    userId: user?.id ?? input.userId,
    foreignUserId: user?.foreignId,
    generation: conversation.generation,
    payload,
    type: input.type,
    direction: installation && user ? 'incoming' : 'outgoing',
    // The author is the integration for messages that the bot's account sent at the provider.
    by: installation && !user && authorOf(call) === 'integration' ? 'integration' : undefined,
    isSynthetic: input.origin === 'synthetic' || undefined,
    isImported: importedAtMs !== undefined || undefined,
    tags: Object.keys(tags).length > 0 ? tags : undefined,
  };
  return {
    entry,
    writes: [
      ...joining,
      (isPostponed ? postponeEntry : appendEntry)(botId, conversation.id, entry),
      ...(await tagWrites(botId, taggedMessage(conversation.id, position), tags, areKnown)),
    ],
  };
}
