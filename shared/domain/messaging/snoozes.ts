/** Ends of snoozes: by a user message, by the timer, or by a change of the handoff (docs/api/botChat.md#snooze). */
import { newPositionAfter } from '#shared/core/ids.ts';
import {
  changeHandoff,
  type Handoff,
  type HandoffActor,
  isSnoozed,
  keyOfHandoff,
} from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { removeTimer } from '#shared/storage/dynamodb/timers/timers.ts';

/** Returns the fields of a handoff whose snooze, if any, has ended. */
export const withoutSnooze = (handoff: Handoff, nowMs: number): Pick<Handoff, 'snooze' | 'isWoken'> => ({
  snooze: isSnoozed(handoff) ? { ...handoff.snooze!, endedAtMs: nowMs } : handoff.snooze,
  isWoken: undefined,
});

/** Removes the timer of a snoozed handoff. Other handoffs have none. */
export const cancelWaking = (botId: string, handoff: Handoff): Write[] =>
  isSnoozed(handoff) ? [removeTimer(keyOfHandoff(botId, handoff))] : [];

interface Waking {
  by: HandoffActor;
  nowMs: number;
  /** Position of the message that ends the snooze. */
  userMessageTo?: string;
}

/**
 * Ends the snooze of a handoff, and moves it to the top of its assignee's list. It is unread, unless the assignee ended
 * the snooze.
 */
export function wake(botId: string, before: Handoff, { by, nowMs, userMessageTo }: Waking) {
  const isByAssignee = before.member !== undefined && before.member.id === by.id;
  const handoff: Handoff = {
    ...before,
    ...withoutSnooze(before, nowMs),
    ...(userMessageTo === undefined ? {} : { userMessageTo }),
    isWoken: before.member === undefined || isByAssignee || userMessageTo !== undefined ? undefined : true,
    change: newPositionAfter(before.change),
    changedBy: by,
    version: before.version + 1,
  };
  return { handoff, writes: [changeHandoff(botId, before, handoff), ...cancelWaking(botId, before)] };
}
