import { wake } from '#shared/domain/messaging/snoozes.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { actorOf, auditHandoff, type HandoffCall } from './handoffMembers.ts';
import type { Transition } from './transition.ts';

/** Ends the snooze of a handoff on behalf of a caller. */
export function wakeBy(call: HandoffCall, before: Handoff): Transition {
  const { handoff, writes } = wake(call.botId, before, { by: actorOf(call), nowMs: call.nowMs });
  return { handoff, isNew: true, writes: [...writes, auditHandoff(call, `WAKE_HANDOFF ${before.id}`)] };
}
