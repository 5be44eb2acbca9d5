import type { Memory } from './memory.ts';

/** Delay that batches messages. */
const SEND_MS = 1_000;

/** The last message that the visitor has read, shared by the tabs of a browser. */
export class ReadMark {
  #memory: Memory;
  #timer: ReturnType<typeof setTimeout> | undefined;
  messageId = '';

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  load(): void {
    this.messageId = this.#memory.read().lastReadId ?? '';
  }

  /** Takes over the mark of another tab. Returns false if it is not newer. */
  sync(conversationId: string | undefined): boolean {
    const stored = this.#memory.read();
    const { lastReadId = '' } = stored;
    if (stored.conversationId !== conversationId || lastReadId <= this.messageId) return false;
    this.messageId = lastReadId;
    return true;
  }

  /** Ignores messages that are not newer. Failures of `send` are not retried. */
  advance(messageId: string, send: (messageId: string) => Promise<unknown>): void {
    if (messageId <= this.messageId) return;
    this.messageId = messageId;
    this.#memory.write({ lastReadId: messageId });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => send(this.messageId).catch(() => {}), SEND_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
