/** Snoozes handoffs: they leave the lists of open conversations until a time, or until a user writes. */
import { invalidPayload } from '#shared/core/errors.ts';
import { newPositionAfter } from '#shared/core/ids.ts';
import {
  changeHandoff,
  type Handoff,
  isOpen,
  isSnoozed,
  keyOfHandoff,
} from '#shared/storage/dynamodb/chat/handoffs.ts';
import { setTimer } from '#shared/storage/dynamodb/timers/timers.ts';
import { actorOf, auditHandoff, type HandoffCall } from './handoffMembers.ts';
import type { Transition } from './transition.ts';
import { alreadyEnded, requireHandoff, requireServedBy, unchanged } from './transitions.ts';
import { wakeBy } from './wakeBy.ts';

const MIN_MS = 60_000;
const MAX_MS = 90 * 24 * 60 * 60 * 1_000;

interface Snoozing {
  /** Null ends the snooze. */
  untilMs: number | null;
  /** The account that the caller expects to be the assignee. */
  servedBy?: string | undefined;
}

/**
 * Snoozes an open handoff, moves the end of its snooze, or ends it.
 * @throws ApiError ResourceNotFound, InvalidPayload for a time outside the limits, RelationConflict that names another
 * assignee or the actor who ended the handoff
 */
export async function snoozeHandoff(
  call: HandoffCall,
  id: string,
  { untilMs, servedBy }: Snoozing,
): Promise<Transition> {
  const { botId, nowMs } = call;
  const { handoff: before } = await requireHandoff(call, id);
  if (!isOpen(before)) throw alreadyEnded(before);
  if (untilMs === (isSnoozed(before) ? before.snooze!.untilMs : null)) return unchanged(before);
  requireServedBy(call, before, servedBy);
  if (untilMs === null) return wakeBy(call, before);
  if (untilMs < nowMs + MIN_MS || untilMs > nowMs + MAX_MS) {
    throw invalidPayload('until must be between 1 minute and 90 days ahead.', 'until');
  }
  const handoff: Handoff = {
    ...before,
    snooze: { by: actorOf(call), atMs: nowMs, untilMs },
    isWoken: undefined,
    change: newPositionAfter(before.change),
    changedBy: actorOf(call),
    version: before.version + 1,
  };
  const writes = [
    changeHandoff(botId, before, handoff),
    setTimer(keyOfHandoff(botId, handoff), untilMs, handoff.generation),
    auditHandoff(call, `SNOOZE_HANDOFF ${id} ${new Date(untilMs).toISOString()}`),
  ];
  return { handoff, isNew: true, writes };
}
