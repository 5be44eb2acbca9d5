/**
 * Transitions of handoffs (docs/api/botChat.md#handoff). Each is one transaction with its audit record and, at the
 * start and the end, the event for the bot. A transaction is conditional on the handoff that was read. After a
 * concurrent change, the call re-reads the handoff, including the other caller's change.
 */

import { iso } from '#shared/api/views.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { decodeTime, newPosition, newPositionAfter, timelineId } from '#shared/core/ids.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { type CallerScope, canSee } from '#shared/domain/messaging/callerScope.ts';
import { countAssignment, countEnd, countStart } from '#shared/domain/messaging/handoffCounters.ts';
import { cancelWaking, withoutSnooze } from '#shared/domain/messaging/snoozes.ts';
import { type Conversation, setHandoff } from '#shared/storage/dynamodb/chat/conversations.ts';
import {
  changeHandoff,
  findHandoff,
  findLatestHandoff,
  type Handoff,
  type HandoffActor,
  type HandoffOutcome,
  type HandoffPriority,
  isOpen,
  isSnoozed,
  putNewHandoff,
  storedPriority,
} from '#shared/storage/dynamodb/chat/handoffs.ts';
import { showHandoff } from '#shared/storage/dynamodb/chat/presence.ts';
import { assignedEvent, endedEvent, startedEvent } from './handoffEvents.ts';
import { actorOf, auditHandoff, type HandoffCall, ownAccountId } from './handoffMembers.ts';
import { shownActor } from './handoffView.ts';
import { joinAs } from './memberUser.ts';
import type { Transition } from './transition.ts';
import { wakeBy } from './wakeBy.ts';

/** Limit of a handoff's reason, in characters. */
export const REASON_LENGTH = 1_000;

export const unchanged = (handoff: Handoff): Transition => ({ handoff, isNew: false, writes: [] });

/** @throws ApiError ResourceNotFound when the handoff does not exist for this caller */
export async function requireHandoff(
  scope: CallerScope,
  id: string,
): Promise<{ handoff: Handoff; conversation: Conversation }> {
  const found = await findHandoff(scope.botId, id);
  if (!found || !canSee(scope, found.conversation)) throw notFound(`The handoff ${id}`);
  return found;
}

/**
 * Starts a handoff, or continues with the open one. With `accountId`, it is assigned to that member.
 * @throws ApiError ResourceNotFound, ReferenceNotFound, RelationConflict when the conversation is assigned to another
 * member
 */
export async function startHandoff(
  call: HandoffCall,
  {
    conversationId,
    reason,
    priority,
    accountId,
  }: {
    conversationId: string;
    reason?: string | undefined;
    priority?: HandoffPriority | undefined;
    accountId?: string | undefined;
  },
): Promise<Transition> {
  const { botId, nowMs } = call;
  const conversation = await requireConversation(call, conversationId);
  const latest = await findLatestHandoff(botId, conversation);
  if (latest && isOpen(latest)) {
    return accountId === undefined ? unchanged(latest) : assign(call, latest, conversation, { accountId });
  }
  if (latest && conversation.isHitlSession) throw sessionEnded(latest);
  const joining =
    accountId === undefined ? undefined : await joinAs(call, conversation, accountId, { isChecked: true });
  const member = joining?.member;
  const position = latest ? newPositionAfter(latest.endPosition!) : newPosition();
  const handoff: Handoff = {
    id: timelineId('handoff', conversation.id, position),
    conversationId: conversation.id,
    webhookId: conversation.webhookId,
    status: member ? 'served' : 'waiting',
    reason,
    priority: storedPriority(priority),
    startedBy: actorOf(call),
    member,
    servedAtMs: member ? nowMs : undefined,
    assignedBy: member ? actorOf(call) : undefined,
    change: position,
    changedBy: actorOf(call),
    version: 1,
    generation: conversation.generation || undefined,
  };
  return {
    handoff,
    isNew: true,
    writes: [
      setHandoff(botId, conversation, handoff.id),
      putNewHandoff(botId, handoff),
      showHandoff(botId, handoff, nowMs),
      ...(joining?.writes ?? []),
      ...(await startedEvent(botId, handoff, conversation)),
      auditHandoff(call, `START_HANDOFF ${handoff.id}${member ? ` ${member.id}` : ''}`),
      ...countStart(botId, handoff, { isFirst: latest === undefined }),
    ],
  };
}

interface Assignment {
  /** Null returns the conversation to the queue. Defaults to the caller. */
  accountId?: string | null | undefined;
  /** The account that the caller expects to be the assignee. */
  servedBy?: string | undefined;
}

/**
 * Assigns the conversation to a member, or returns it to the queue.
 * @throws ApiError ResourceNotFound, ReferenceNotFound, RelationConflict that names the assignee or the
 * actor who ended it
 */
export async function assignHandoff(call: HandoffCall, id: string, assignment: Assignment): Promise<Transition> {
  const { handoff, conversation } = await requireHandoff(call, id);
  return assign(call, handoff, conversation, assignment);
}

async function assign(
  call: HandoffCall,
  before: Handoff,
  conversation: Conversation,
  { accountId, servedBy }: Assignment,
): Promise<Transition> {
  if (!isOpen(before)) throw alreadyEnded(before);
  const wanted = accountId === undefined ? ownAccountId(call) : accountId;
  const isSameMember = before.member?.id === (wanted ?? undefined);
  if (isSameMember && !isSnoozed(before)) return unchanged(before);
  requireServedBy(call, before, servedBy);
  if (isSameMember) return wakeBy(call, before);
  if (wanted === null) return release(call, before, conversation);
  return change(call, before, conversation, await joinAs(call, conversation, wanted));
}

/** Assigns an open handoff, regardless of the assignee. @throws ApiError ReferenceNotFound */
export const assignTo = async (
  call: HandoffCall,
  before: Handoff,
  conversation: Conversation,
  accountId: string,
): Promise<Transition> => change(call, before, conversation, await joinAs(call, conversation, accountId));

/** Returns an open handoff to the queue, regardless of the assignee. */
export const release = (call: HandoffCall, before: Handoff, conversation: Conversation): Promise<Transition> =>
  change(call, before, conversation, undefined);

async function change(
  call: HandoffCall,
  before: Handoff,
  conversation: Conversation,
  joining: Awaited<ReturnType<typeof joinAs>> | undefined,
): Promise<Transition> {
  const { botId, nowMs } = call;
  const member = joining?.member;
  const handoff: Handoff = {
    ...before,
    status: member ? 'served' : 'waiting',
    member,
    servedAtMs: member ? nowMs : undefined,
    assignedBy: member ? actorOf(call) : undefined,
    // The new assignee has not read any messages yet.
    readTo: undefined,
    ...withoutSnooze(before, nowMs),
    change: newPositionAfter(before.change),
    changedBy: actorOf(call),
    version: before.version + 1,
  };
  const writes = [
    changeHandoff(botId, before, handoff),
    ...cancelWaking(botId, before),
    showHandoff(botId, handoff, nowMs),
    ...(joining?.writes ?? []),
    ...(await assignedEvent(botId, handoff, conversation)),
    auditHandoff(call, member ? `ASSIGN_HANDOFF ${before.id} ${member.id}` : `RELEASE_HANDOFF ${before.id}`),
    ...countAssignment(botId, before, handoff),
  ];
  return { handoff, isNew: true, writes };
}

/**
 * Returns the conversation to the bot.
 * @throws ApiError ResourceNotFound, RelationConflict that names another assignee
 */
export async function endHandoff(
  call: HandoffCall,
  id: string,
  { servedBy, outcome = 'handedBack' }: Pick<Assignment, 'servedBy'> & { outcome?: HandoffOutcome | undefined },
): Promise<Transition> {
  const { handoff, conversation } = await requireHandoff(call, id);
  if (!isOpen(handoff)) return unchanged(handoff);
  requireServedBy(call, handoff, servedBy);
  return close(call, handoff, conversation, { outcome });
}

interface Closing {
  /** False omits the event of the bot. */
  isAnnounced?: boolean;
  endedBy?: HandoffActor;
  /** Set if a caller ended the handoff, rather than the platform. */
  outcome?: HandoffOutcome;
}

/** Closes an open handoff, regardless of the assignee. */
export async function close(
  call: HandoffCall,
  before: Handoff,
  conversation: Conversation,
  { isAnnounced = true, endedBy = actorOf(call), outcome }: Closing = {},
): Promise<Transition> {
  const { botId, nowMs } = call;
  const endPosition = newPositionAfter(before.change);
  const handoff: Handoff = {
    ...before,
    status: 'closed',
    ...withoutSnooze(before, nowMs),
    endedBy,
    outcome,
    endPosition,
    change: endPosition,
    changedBy: endedBy,
    version: before.version + 1,
  };
  return {
    handoff,
    isNew: true,
    writes: [
      changeHandoff(botId, before, handoff),
      ...cancelWaking(botId, before),
      showHandoff(botId, handoff, nowMs),
      ...(isAnnounced ? await endedEvent(botId, handoff, conversation) : []),
      ...countEnd(botId, handoff),
      auditHandoff(call, `END_HANDOFF ${before.id}${outcome === 'resolved' ? ' resolved' : ''}`),
    ],
  };
}

/** Requires the assignee, or a caller who names that member in `servedBy`. */
export function requireServedBy(call: HandoffCall, { id, member }: Handoff, servedBy: string | undefined): void {
  const own = call.principal.kind === 'account' ? call.principal.account.id : undefined;
  if (member?.id === servedBy || (servedBy === undefined && member?.id === own)) return;
  throw notAssigned({ id, member }, member ? `To replace them, set servedBy to ${member.id}.` : 'Omit servedBy.');
}

/** Rejects a caller who is not the assignee. */
export function notAssigned({ id, member }: Pick<Handoff, 'id' | 'member'>, advice: string): ApiError {
  const metadata = { handoffId: id, ...(member ? { member } : {}) };
  const message = `${member ? `${member.name} is assigned to` : 'No member is assigned to'} this conversation. ${advice}`;
  return new ApiError('RelationConflict', message, { metadata });
}

export function alreadyEnded({ id, endedBy, endPosition }: Handoff): ApiError {
  const message = `${capitalized(shownActor(endedBy!))} ended this handoff at ${iso(decodeTime(endPosition!))}. Start another one.`;
  return new ApiError('RelationConflict', message, { metadata: { handoffId: id, endedBy } });
}

function sessionEnded({ id }: Handoff): ApiError {
  const message = 'This session of the integration inbox has ended. The bot starts another one with startHitl.';
  return new ApiError('RelationConflict', message, { metadata: { handoffId: id } });
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
