/** Keeps unsent messages in storage, for a reload or a return within a day. */
import { ChatFault, newKey } from './chatApi.ts';
import type { Memory } from './memory.ts';
import type { Outbox, Outgoing } from './messageOutbox.ts';

/** Idempotency keys are valid for a day. Later retries could duplicate a message. */
const VALID_MS = 23 * 3_600_000;

export function restoreUnsent(memory: Memory, outbox: Outbox, conversationId: string): void {
  outbox.restore(
    storedUnsent(memory, conversationId).map(({ isLeft, conversationId: _, ...unsent }) => ({
      ...unsent,
      ...(isLeft ? { fault: leftBehind() } : {}),
    })),
    true,
  );
  storeUnsent(memory, outbox, conversationId);
}

/** Preserves unsent messages of other tabs. The key prevents duplicates. */
export function storeUnsent(memory: Memory, outbox: Outbox, conversationId: string): void {
  const others = storedUnsent(memory, conversationId).filter(({ key }) => !outbox.has(key));
  const own = outbox.waiting.map(({ key, payload, saidMs, fault }) => ({
    conversationId,
    key,
    payload,
    saidMs,
    ...(fault?.type === LEFT ? { isLeft: true } : {}),
  }));
  memory.update({ conversationId }, { unsent: [...others, ...own] });
}

function storedUnsent(memory: Memory, conversationId: string) {
  const sinceMs = Date.now() - VALID_MS;
  const { unsent = [] } = memory.read();
  return unsent.filter(each => each.conversationId === conversationId && each.saidMs > sinceMs);
}

const LEFT = 'ConversationLeft';
/** Counts as a transient failure, because the message itself is valid. */
const leftBehind = () => new ChatFault(0, LEFT, 'The conversation ended before the message arrived.');

/**
 * Returns the messages in the form in which the next conversation shows them. Messages that may have been sent, or that
 * the former conversation rejected because it was deleted, wait until the visitor sends them again.
 */
export const carriedOver = (outgoing: readonly Outgoing[], hasTried: (key: string) => boolean): Outgoing[] =>
  outgoing.map(each => {
    const { key, fault, onEnd } = each;
    if (!fault && !hasTried(key)) return each;
    onEnd?.(fault ?? leftBehind());
    const isAtFault = fault && !fault.isPassing && fault.status !== 403 && fault.status !== 404;
    return { ...each, key: newKey(), fault: isAtFault ? fault : leftBehind() };
  });
