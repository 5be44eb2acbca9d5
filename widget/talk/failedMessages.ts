import type { Memory } from './memory.ts';

const MAX_FAILED = 20;

/** Messages that the bot could not process. Their signal is not replayed, so they are stored for a reload. */
export class FailedMessages {
  #memory: Memory;
  #conversationId: string;
  /** Oldest first. */
  ids: readonly string[];

  constructor(memory: Memory, conversationId: string) {
    this.#memory = memory;
    this.#conversationId = conversationId;
    const stored = memory.read();
    this.ids = stored.conversationId === conversationId ? (stored.failedIds ?? []) : [];
  }

  add(messageId: string): void {
    this.#set([...this.ids.filter(id => id !== messageId), messageId].slice(-MAX_FAILED));
  }

  remove(messageId: string): void {
    this.#set(this.ids.filter(id => id !== messageId));
  }

  #set(ids: readonly string[]): void {
    this.ids = ids;
    this.#memory.update({ conversationId: this.#conversationId }, { failedIds: [...ids] });
  }
}
