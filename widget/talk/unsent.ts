/** Keeps unsent messages in storage, for a reload or a return within a day. */
import type { Memory } from './memory.ts';
import type { Outbox } from './outbox.ts';

/** Idempotency keys are valid for a day. Later retries could duplicate a message. */
const VALID_MS = 23 * 3_600_000;

export function restoreUnsent(memory: Memory, outbox: Outbox, conversationId: string): void {
  outbox.restore(storedUnsent(memory, conversationId));
  storeUnsent(memory, outbox, conversationId);
}

/** Keeps unsent messages of other tabs. The key prevents duplicates. */
export function storeUnsent(memory: Memory, outbox: Outbox, conversationId: string): void {
  const others = storedUnsent(memory, conversationId).filter(({ key }) => !outbox.has(key));
  const own = outbox.waiting.map(({ key, payload, saidMs }) => ({ conversationId, key, payload, saidMs }));
  memory.write({ unsent: [...others, ...own] });
}

function storedUnsent(memory: Memory, conversationId: string) {
  const sinceMs = Date.now() - VALID_MS;
  const { unsent = [] } = memory.read();
  return unsent.filter(each => each.conversationId === conversationId && each.saidMs > sinceMs);
}
