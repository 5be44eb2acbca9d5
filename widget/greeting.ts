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
    const mark = markOf(greeting);
    if (this.#dismissed === mark) return true;
    try {
      return this.#shelf?.getItem(this.#name) === mark;
    } catch {
      return false;
    }
  }

  dismiss(greeting: string): void {
    const mark = markOf(greeting);
    this.#dismissed = mark;
    try {
      this.#shelf?.setItem(this.#name, mark);
    } catch {
      // Storage is full or blocked.
    }
  }
}

/** A hash (FNV-1a), because the text itself is not stored. */
function markOf(greeting: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < greeting.length; i++) hash = Math.imul(hash ^ greeting.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
