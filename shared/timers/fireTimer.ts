/**
 * What happens when a time has come. Each takes the item that says when, and does the thing, in one transaction: it happens
 * once, however often it is looked at, and not at all when it was called off or set anew before.
 */

import { stateExpiredEvent } from '#shared/botChat/states.ts';
import type { WorkflowValues } from '#shared/botChat/views/workflow.ts';
import { workflowEvent } from '#shared/botChat/workflows.ts';
import { findConversation } from '#shared/dynamodb/chat/conversations.ts';
import { type Event, parseEvent, setEventStatus } from '#shared/dynamodb/chat/events.ts';
import { isExpired, parseState } from '#shared/dynamodb/chat/states.ts';
import { appendEntry, parseEntry } from '#shared/dynamodb/chat/timeline.ts';
import { changeWorkflow, isFinished, parseWorkflow } from '#shared/dynamodb/chat/workflows.ts';
import { eventPrefix, laterPrefix, statePrefix, workflowSk } from '#shared/dynamodb/keys/chat.ts';
import { splitPk } from '#shared/dynamodb/keys/table.ts';
import { timerPrefix } from '#shared/dynamodb/keys/timers.ts';
import { type Item, readItem } from '#shared/dynamodb/query.ts';
import { consumeTimer, type Timer } from '#shared/dynamodb/timers.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { endFile, isFileTimer } from '#shared/files/endFile.ts';
import { loadValue } from '#shared/s3/largeValue.ts';

export type TimerOutcome = 'done' | 'gone' | 'later';

/** @returns what came of it: `gone` if it is done or called off, `later` if it was set anew */
export function fireTimer(due: Timer, nowMs: number): Promise<TimerOutcome> {
  return retryConflicts(async () => {
    const marker = await readItem({ pk: due.pk, sk: due.sk });
    if (!marker) return 'gone';
    // Whoever set it anew had it awaited anew.
    if (marker.dueMs !== due.dueMs || due.dueMs > nowMs) return 'later';
    const { botId, id } = splitPk(due.pk);
    const writes = due.sk.startsWith(laterPrefix)
      ? await saying(botId, id, marker)
      : await following(botId, { pk: due.pk, sk: due.sk.slice(timerPrefix.length) }, nowMs);
    await write([consumeTimer(due), ...writes]);
    return writes.length > 0 ? 'done' : 'gone';
  });
}

/** A message is said at its time, if its conversation is still there. */
async function saying(botId: string, conversationId: string, item: Item): Promise<Write[]> {
  const entry = parseEntry(item);
  const conversation = await findConversation(botId, conversationId);
  return conversation?.generation === entry.generation ? [appendEntry(botId, conversationId, entry)] : [];
}

/** What follows for an event, a state, a workflow or a file. */
async function following(botId: string, key: { pk: string; sk: string }, nowMs: number): Promise<Write[]> {
  if (isFileTimer(key)) return endFile(botId, key, nowMs);
  const item = await readItem(key);
  if (!item) return [];
  if (key.sk.startsWith(eventPrefix)) return happening(botId, parseEvent(item));
  if (key.sk.startsWith(statePrefix)) return expiring(botId, key, item, nowMs);
  return key.sk === workflowSk ? timingOut(botId, item, nowMs) : [];
}

const happening = (botId: string, event: Event): Write[] =>
  event.status === 'scheduled' ? [setEventStatus(botId, event, 'pending', () => new WriteConflict())] : [];

async function expiring(botId: string, key: { pk: string; sk: string }, item: Item, nowMs: number): Promise<Write[]> {
  const state = parseState(item);
  if (!isExpired(state, nowMs)) return [];
  return [
    {
      remove: {
        Key: key,
        ConditionExpression: 'version = :version AND expiresAtMs = :expires',
        ExpressionAttributeValues: { ':version': state.version, ':expires': state.expiresAtMs },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(await stateExpiredEvent(botId, state)),
  ];
}

async function timingOut(botId: string, item: Item, nowMs: number): Promise<Write[]> {
  const before = parseWorkflow(item)!;
  if (isFinished(before) || before.timeoutAtMs > nowMs) return [];
  const after = { ...before, status: 'timedout' as const, updatedAtMs: nowMs, completedAtMs: nowMs };
  // The item that says when is taken already.
  const [change] = changeWorkflow(botId, before, after);
  return [change!, ...(await workflowEvent(botId, before, after, (await loadValue(before)) as WorkflowValues))];
}
