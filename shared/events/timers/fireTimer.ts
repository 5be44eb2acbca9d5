/** Fires a timer in the transaction that removes or moves it: at most once, and not after it was cancelled. */
import { stateExpiredEvent } from '#shared/domain/botChat/states/writeState.ts';
import { endFile } from '#shared/domain/files/endFile.ts';
import { endUploads } from '#shared/domain/files/endUploads.ts';
import { wake } from '#shared/domain/messaging/snoozes.ts';
import { statusChangeWrites } from '#shared/domain/messaging/workflows/workflowEvents.ts';
import { wakePendingDeliveries } from '#shared/events/delivery/wakePendingDeliveries.ts';
import { fireRegistrations } from '#shared/outbound/installations/registration.ts';
import { findBot, findRecurringEvent } from '#shared/storage/dynamodb/bots/bots.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import {
  derivedEventId,
  type Event,
  findEvent,
  putNewEvent,
  setEventStatus,
} from '#shared/storage/dynamodb/chat/events.ts';
import { type Handoff, isSnoozed } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { findParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { listPostponedBefore } from '#shared/storage/dynamodb/chat/postponed.ts';
import { isExpired, removeExpiredState, type State } from '#shared/storage/dynamodb/chat/states.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { findTimerSubject, type TimerSubject } from '#shared/storage/dynamodb/chat/timerSubjects.ts';
import {
  changeWorkflow,
  isFinished,
  loadWorkflowValues,
  type Workflow,
} from '#shared/storage/dynamodb/chat/workflows.ts';
import { destinationOfTimer } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  consumeTimer,
  findTimer,
  moveTimer,
  type Timer,
  withoutRemovalOf,
} from '#shared/storage/dynamodb/timers/timers.ts';

export type TimerOutcome = 'done' | 'gone' | 'later';

export async function fireTimer(timer: Timer, nowMs: number): Promise<TimerOutcome> {
  const destination = destinationOfTimer(timer);
  if (destination !== undefined) return wakePendingDeliveries(destination, timer, nowMs);
  // Concurrent jobs fire the timers of one time, so each posts the messages that precede its own.
  for (const earlier of await listPostponedBefore(timer)) await fireOne(earlier, nowMs);
  return fireOne(timer, nowMs);
}

function fireOne(timer: Timer, nowMs: number): Promise<TimerOutcome> {
  return retryConflicts(async () => {
    const current = await findTimer(timer);
    if (!current) return 'gone';
    // A moved timer is enqueued again by the change that moved it.
    if (current.dueMs !== timer.dueMs || timer.dueMs > nowMs) return 'later';
    const { writes, nextMs } = await firingOf(timer, current.item, nowMs);
    await write([nextMs === undefined ? consumeTimer(timer) : moveTimer(timer, nextMs), ...writes]);
    return writes.length > 0 ? 'done' : 'gone';
  });
}

interface Firing {
  writes: Write[];
  nextMs?: number;
}

async function firingOf(timer: Timer, item: Record<string, unknown>, nowMs: number): Promise<Firing> {
  const subject = await findTimerSubject(timer, item);
  if (subject?.kind === 'registrations') return fireRegistrations(subject.botId, nowMs);
  if (subject?.kind === 'uploads') {
    const isDone = await endUploads(subject.botId, nowMs);
    return { writes: [], ...(isDone ? {} : { nextMs: nowMs + NEXT_UPLOADS_MS }) };
  }
  if (subject?.kind !== 'recurringEvent') return { writes: await writesOf(timer, subject, nowMs) };
  return fireRecurringEvent(subject.botId, subject.name, { tickMs: timer.dueMs, nowMs });
}

/** Returns a tick's event and the next tick from now. Of several missed ticks, only one fires. */
async function fireRecurringEvent(
  botId: string,
  name: string,
  { tickMs, nowMs }: { tickMs: number; nowMs: number },
): Promise<Firing> {
  // All ticks share a group, so that they are delivered in order.
  const id = derivedEventId(['recurring event', botId, name], String(tickMs), tickMs, 0);
  const [recurring, fired] = await Promise.all([findRecurringEvent(botId, name), findEvent(botId, id)]);
  if (!recurring) return { writes: [] };
  const { type, payload, schedule } = recurring;
  const { nextTickMs } = await import('#shared/core/cron.ts');
  const nextMs = nextTickMs(schedule.cron, nowMs);
  // The tick has already fired. A function with a slow clock set its timer again.
  if (fired) return { writes: [], nextMs };
  return { writes: putNewEvent(botId, { id, type, status: 'pending', ...(await storeValue(botId, payload)) }), nextMs };
}

/** Delay until the next batch of expired uploads. */
const NEXT_UPLOADS_MS = 1_000;

type SingleSubject = Exclude<TimerSubject, { kind: 'recurringEvent' | 'registrations' | 'uploads' }>;

async function writesOf(timer: Timer, subject: SingleSubject | undefined, nowMs: number): Promise<Write[]> {
  switch (subject?.kind) {
    case 'postponedMessage':
      return postMessage(subject.botId, subject.conversationId, subject.entry);
    case 'file':
      return withoutRemovalOf(timer, await endFile(subject.botId, subject.fileId, subject.deadline, nowMs));
    case 'event':
      return startEvent(subject.botId, subject.event);
    case 'handoff':
      return withoutRemovalOf(timer, await endSnooze(subject.botId, subject.handoff, nowMs));
    case 'state':
      return expireState(subject.botId, subject.state, nowMs);
    case 'workflow':
      return timeOutWorkflow(subject.botId, subject.workflow, nowMs);
    default:
      return [];
  }
}

/** Drops the message if the conversation was deleted, or its author was deleted or has left. */
async function postMessage(botId: string, conversationId: string, entry: Entry): Promise<Write[]> {
  const [conversation, author] = await Promise.all([
    findConversation(botId, conversationId),
    entry.userId === botId ? undefined : findParticipant(botId, conversationId, entry.userId),
  ]);
  if (conversation?.generation !== entry.generation) return [];
  const hasAuthor = entry.userId === botId || author?.generation === entry.generation;
  return hasAuthor ? [appendEntry(botId, conversationId, entry)] : [];
}

const startEvent = (botId: string, event: Event): Write[] =>
  event.status === 'scheduled' ? [setEventStatus(botId, event, 'pending', () => new WriteConflict())] : [];

/** Does nothing if the snooze has ended, or its end was moved. */
async function endSnooze(botId: string, handoff: Handoff, nowMs: number): Promise<Write[]> {
  if (!isSnoozed(handoff) || handoff.snooze!.untilMs > nowMs) return [];
  const bot = await findBot(botId);
  return bot ? wake(botId, handoff, { by: { type: 'bot', id: botId, name: bot.name }, nowMs }).writes : [];
}

async function expireState(botId: string, state: State, nowMs: number): Promise<Write[]> {
  if (!isExpired(state, nowMs)) return [];
  return [removeExpiredState(botId, state), ...(await stateExpiredEvent(botId, state))];
}

async function timeOutWorkflow(botId: string, before: Workflow, nowMs: number): Promise<Write[]> {
  if (isFinished(before) || before.timeoutAtMs > nowMs) return [];
  const after = { ...before, status: 'timedout' as const, updatedAtMs: nowMs, completedAtMs: nowMs };
  // Removes only the record, because the transaction already removes its timer.
  const [change] = changeWorkflow(botId, before, after);
  return [change!, ...(await statusChangeWrites(botId, before, after, await loadWorkflowValues(before)))];
}
