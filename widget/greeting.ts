/** Remembers which greeting the visitor has dismissed. The storage is that of the session. */
import type { Shelf } from './talk/memory.ts';

export class GreetingMemory {
  #name: string;
  #shelf: Shelf | undefined;
  /** Also where the storage is full or blocked. */
  #dismissed: string | undefined;

  constructor(chatUrl: string, shelf: Shelf | undefined) {
    this.#name = `parley-chat-greeting:${chatUrl}`;
    this.#shelf = shelf;
  }

  /** A new text is shown again. */
  isDismissed(greeting: string): boolean {
    if (this.#dismissed === greeting) return true;
    try {
      return this.#shelf?.getItem(this.#name) === greeting;
    } catch {
      return false;
    }
  }

  dismiss(greeting: string): void {
    this.#dismissed = greeting;
    try {
      this.#shelf?.setItem(this.#name, greeting);
    } catch {
      // Storage is full or blocked.
    }
  }
}
