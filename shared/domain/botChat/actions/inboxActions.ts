/**
 * Actions of the integration inbox, which implements the ecosystem's interface hitl (docs/api/botChat.md#hitl). A
 * session is a conversation between the bot and the members, to which the bot forwards user messages.
 */

import * as z from 'zod/mini';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { text } from '#shared/core/text.ts';
import { addParticipantWrites } from '#shared/domain/botChat/addParticipantWrites.ts';
import { createConversation, requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { id, typeName, userFields } from '#shared/domain/botChat/botChatInputs.ts';
import * as users from '#shared/domain/botChat/botChatUsers.ts';
import type { HandoffCall } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import { close, REASON_LENGTH, startHandoff } from '#shared/domain/botChat/handoffs/transitions.ts';
import { createMessage } from '#shared/domain/botChat/messages/createMessage.ts';
import { findLatestHandoff, isOpen } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type BuiltInAction, parseActionInput } from './actionInputs.ts';

/** Limit of a tag's value, in which the email is stored. */
const EMAIL_LENGTH = 500;
const NewUser = z.object({ ...userFields, email: z.optional(text(EMAIL_LENGTH)) });

const createUser: BuiltInAction = async (call, input, installation) => {
  const { email, ...fields } = parseActionInput(NewUser, input);
  const tags: Record<string, string> = email ? { email } : {};
  const { record, writes } = await users.createUser({ ...call, installation }, { ...fields, tags });
  await write(writes);
  return { userId: record.id };
};

const Said = z.object({
  source: z.union([z.object({ type: z.literal('bot') }), z.object({ type: z.literal('user'), userId: id() })]),
  type: typeName(),
  payload: z.record(z.string(), z.any()),
});

const NewSession = z.object({
  userId: id(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  messageHistory: z.optional(z.array(Said)),
});

/** Maximum number of messages in a session's history. Keeps the latest messages. */
const HISTORY_LENGTH = 100;
const HISTORY_CONCURRENCY = 10;

/**
 * Opens a session. Adds it to the lists of handoffs last, so that members never see a session without its history.
 * @throws ApiError ResourceNotFound for a user of another integration
 */
const startHitl: BuiltInAction = async (call, input, installation) => {
  const { userId, title, description, messageHistory = [] } = parseActionInput(NewSession, input);
  const scope = { ...call, installation };
  const user = await users.requireUser(scope, userId);
  const isNew = { conversation: true };
  const { record: conversation, writes } = await createConversation(scope, {
    channel: 'hitl',
    tags: {},
    isHitlSession: true,
  });
  await write([...writes, ...addParticipantWrites(call.botId, conversation, user, { nowMs: call.nowMs, isNew })]);
  await importHistory(call, conversation.id, messageHistory.slice(-HISTORY_LENGTH));
  const reason = [title, description].filter(Boolean).join('\n\n');
  await retryConflicts(async () => {
    const { writes: starting } = await startHandoff(scope, {
      conversationId: conversation.id,
      reason: startOf(reason, REASON_LENGTH) || undefined,
    });
    await write(starting);
  });
  return { conversationId: conversation.id };
};

/**
 * Imports the history of a session. The interface has no times of messages, so the last one gets the time of the call.
 */
async function importHistory(call: HandoffCall, conversationId: string, history: readonly z.infer<typeof Said>[]) {
  // With an installation, the messages would count as user messages to the bot.
  const scope = { ...call, installation: undefined };
  await mapConcurrently(history, HISTORY_CONCURRENCY, async ({ source, type, payload }, i) => {
    const userId = source.type === 'user' ? source.userId : call.botId;
    const options = { importedAtMs: call.nowMs - history.length + i };
    await retryConflicts(async () => {
      const { writes } = await createMessage(scope, { conversationId, userId, type, payload, tags: {} }, options);
      await write(writes);
    });
  });
}

const EndOfSession = z.object({ conversationId: id() });

/**
 * Ends a session, regardless of the assignee. Idempotent.
 * @throws ApiError ResourceNotFound
 */
const stopHitl: BuiltInAction = async (call, input, installation) => {
  const { conversationId } = parseActionInput(EndOfSession, input);
  const scope = { ...call, installation };
  await retryConflicts(async () => {
    const conversation = await requireConversation(scope, conversationId);
    const handoff = await findLatestHandoff(call.botId, conversation);
    if (!handoff || !isOpen(handoff)) return;
    // The bot has ended the session itself.
    await write((await close(scope, handoff, conversation, { isAnnounced: false })).writes);
  });
  return {};
};

export const INBOX_ACTIONS: Record<string, BuiltInAction> = { createUser, startHitl, stopHitl };
