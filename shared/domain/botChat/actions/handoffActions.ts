/**
 * The chat integration's actions `startHandoff` and `endHandoff`. The ecosystem's SDK has no operations for handoffs,
 * but it generates methods for the actions of an integration.
 */
import * as z from 'zod/mini';
import { text } from '#shared/core/text.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import * as handoffs from '#shared/domain/botChat/handoffs/transitions.ts';
import { findLatestHandoff, HANDOFF_OUTCOMES, HANDOFF_PRIORITIES } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type BuiltInAction, parseActionInput } from './actionInputs.ts';

const Start = z.object({
  conversationId: id(),
  reason: z.optional(text(handoffs.REASON_LENGTH)),
  priority: z.optional(z.enum(HANDOFF_PRIORITIES)),
});

/** @throws ApiError ResourceNotFound for a conversation of another integration */
const startHandoff: BuiltInAction = (call, input, installation) => {
  const fields = parseActionInput(Start, input);
  return retryConflicts(async () => {
    const { handoff, writes } = await handoffs.startHandoff({ ...call, installation }, fields);
    await write(writes);
    return { handoffId: handoff.id, status: handoff.status };
  });
};

const End = z.object({
  conversationId: id(),
  servedBy: z.optional(id()),
  outcome: z.optional(z.enum(HANDOFF_OUTCOMES)),
});

/**
 * Ends the conversation's open handoff, if any.
 * @throws ApiError ResourceNotFound for a conversation of another integration, RelationConflict if a member other than
 * `servedBy` is assigned
 */
const endHandoff: BuiltInAction = (call, input, installation) => {
  const { conversationId, ...ending } = parseActionInput(End, input);
  const scope = { ...call, installation };
  return retryConflicts(async () => {
    const conversation = await requireConversation(scope, conversationId);
    const handoff = await findLatestHandoff(call.botId, conversation);
    if (handoff) await write((await handoffs.endHandoff(scope, handoff.id, ending)).writes);
    return {};
  });
};

export const HANDOFF_ACTIONS: Record<string, BuiltInAction> = { startHandoff, endHandoff };
