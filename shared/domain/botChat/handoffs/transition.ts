import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** Result of a transition. `isNew` is false if an earlier call made the transition. */
export interface Transition {
  handoff: Handoff;
  isNew: boolean;
  writes: Write[];
}
