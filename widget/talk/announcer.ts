/** Reports each new message of a conversation once. Messages of earlier visits are not new. */
import type { Message } from './chatContract.ts';

export class Announcer {
  #known = new Set<string>();
  #onMessage: (message: Message) => void;
  #isStarted = false;
  /** Id of the oldest loaded message, if earlier messages exist. A late signal may still deliver one of those. */
  #oldest = '';
  /** Reports wait for the names of the authors, in order. */
  #work: Promise<void> = Promise.resolve();

  constructor(onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
  }

  /**
   * Starts to report.
   * @param history messages that are not new, in order
   * @param hasEarlier true if messages before the history exist, which are not new either
   */
  start(history: readonly Message[], hasEarlier = false): void {
    this.#isStarted = true;
    if (hasEarlier) this.#oldest = history[0]?.id ?? '';
    this.know(history);
  }

  know(messages: readonly Message[]): void {
    for (const { id } of messages) this.#known.add(id);
  }

  /** @param ready resolves when the authors are known */
  announce(messages: readonly Message[], ready: Promise<unknown>): void {
    if (!this.#isStarted) return;
    const fresh = messages.filter(({ id }) => id > this.#oldest && !this.#known.has(id));
    if (fresh.length === 0) return;
    this.know(fresh);
    this.#work = this.#work
      .then(() => ready)
      .then(() => {
        for (const message of fresh) this.#onMessage(message);
      });
  }
}
