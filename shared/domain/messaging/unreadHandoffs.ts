/**
 * Maintains `userMessageTo` of open handoffs: the position of the last user message that still exists. It is read from
 * the timeline whenever a message may have been deleted, so repeated and reordered changes have the same result.
 */
import { clock } from '#shared/core/clock.ts';
import { isOfEndUser } from '#shared/storage/dynamodb/chat/entry.ts';
import { recordUserMessage } from '#shared/storage/dynamodb/chat/handoffMarks.ts';
import {
  findHandoff,
  type Handoff,
  type HandoffActor,
  isOpen,
  isSnoozed,
  startPositionOf,
} from '#shared/storage/dynamodb/chat/handoffs.ts';
import { findEntry, listMessages } from '#shared/storage/dynamodb/chat/timeline.ts';
import { retryConflicts, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { wake } from './snoozes.ts';

/**
 * Updates the handoff after new or deleted messages.
 * @param newest the position of the last new user message, if no message was deleted
 */
export async function recordNewestUserMessage(botId: string, handoffId: string, newest?: string): Promise<void> {
  await retryConflicts(async () => {
    const found = await findHandoff(botId, handoffId);
    if (!found || !isOpen(found.handoff)) return;
    const { handoff } = found;
    const { userMessageTo } = handoff;
    if (newest !== undefined && newest <= (userMessageTo ?? startPositionOf(handoff))) return;
    const exists = newest !== undefined && (await findEntry(botId, handoff.conversationId, newest)) !== undefined;
    const last = exists ? newest : await findLastUserMessage(botId, handoff, found.conversation.isHitlSession);
    if (last !== userMessageTo) await write(changesOf(botId, handoff, last));
  });
}

const CUSTOMER: HandoffActor = { type: 'user', id: 'user', name: 'User' };

/** A new message ends the snooze, also one that the assignee has not read before snoozing. */
function changesOf(botId: string, handoff: Handoff, last: string | undefined): Write[] {
  const { userMessageTo = '', readTo = '' } = handoff;
  const isNew = last !== undefined && last > userMessageTo && last > readTo;
  if (!isNew || !isSnoozed(handoff)) return [recordUserMessage(botId, handoff, last)];
  return wake(botId, handoff, { by: CUSTOMER, nowMs: clock.now(), userMessageTo: last }).writes;
}

const PAGE = 50;

/** Returns the position of the last user message since the start of the handoff. */
export async function findLastUserMessage(
  botId: string,
  handoff: Handoff,
  isHitlSession = false,
): Promise<string | undefined> {
  const { conversationId, generation = 0 } = handoff;
  const start = startPositionOf(handoff);
  let before: string | undefined;
  do {
    const { entries, next } = await listMessages(botId, conversationId, {
      before,
      first: start,
      limit: PAGE,
      generation: async () => generation,
    });
    const last = entries.find(entry => !entry.isImported && isOfEndUser(botId, entry, isHitlSession));
    if (last) return last.position > start ? last.position : undefined;
    before = next;
  } while (before !== undefined);
  return undefined;
}
