import type { Memory } from './memory.ts';

/** Delay that batches messages. */
const SEND_MS = 1_000;

interface ReadMarkOptions {
  memory: Memory;
  conversationId: string;
  /** Failures are not retried. */
  send(messageId: string): Promise<unknown>;
}

/** The last message of a conversation that the visitor has read, shared by the tabs of a browser. */
export class ReadMark {
  #options: ReadMarkOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  messageId = '';

  constructor(options: ReadMarkOptions) {
    this.#options = options;
    this.sync();
  }

  /** Adopts the mark of another tab. Returns false if it is not newer. */
  sync(): boolean {
    const { memory, conversationId } = this.#options;
    const stored = memory.read();
    const { lastReadId = '' } = stored;
    if (stored.conversationId !== conversationId || lastReadId <= this.messageId) return false;
    this.messageId = lastReadId;
    return true;
  }

  /** Ignores messages that are not newer. */
  advance(messageId: string): void {
    const { memory, conversationId } = this.#options;
    if (messageId <= this.messageId) return;
    this.messageId = messageId;
    memory.update({ conversationId }, { lastReadId: messageId });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), SEND_MS);
  }

  /** Sends a pending mark immediately. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#options.send(this.messageId).catch(() => {});
  }
}
