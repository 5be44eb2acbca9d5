/** Priorities of handoffs, by which the queue is sorted before the start. */
import {
  changeHandoff,
  type Handoff,
  type HandoffPriority,
  isOpen,
  storedPriority,
} from '#shared/storage/dynamodb/chat/handoffs.ts';
import { auditHandoff, type HandoffCall } from './handoffMembers.ts';
import type { Transition } from './transition.ts';
import { alreadyEnded, requireHandoff, unchanged } from './transitions.ts';

/**
 * Sets the priority of an open handoff. It is no change of status, member or snooze, so `updatedBy` stays.
 * @throws ApiError ResourceNotFound, RelationConflict that names the actor who ended the handoff
 */
export async function setPriority(call: HandoffCall, id: string, priority: HandoffPriority): Promise<Transition> {
  const { handoff: before } = await requireHandoff(call, id);
  if (!isOpen(before)) throw alreadyEnded(before);
  if (before.priority === storedPriority(priority)) return unchanged(before);
  const handoff: Handoff = { ...before, priority: storedPriority(priority), version: before.version + 1 };
  return {
    handoff,
    isNew: true,
    writes: [changeHandoff(call.botId, before, handoff), auditHandoff(call, `PRIORITIZE_HANDOFF ${id} ${priority}`)],
  };
}
