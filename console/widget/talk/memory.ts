/** The chat's memory in the browser: the guest, the conversation, how far it was read, and what was not sent yet. */
import type { Said } from './contract.ts';

export const STORAGES = ['local', 'session', 'none'] as const;
/** Lives as long as the browser's data, the tab, or the page. */
export type Storage = (typeof STORAGES)[number];

/** A message that was not confirmed. */
interface Unsent {
  conversationId: string;
  key: string;
  payload: Said;
  saidMs: number;
}

export interface Remembered {
  /** The guest's key. A key that the page gave is never stored. */
  userKey?: string | undefined;
  userId?: string | undefined;
  conversationId?: string | undefined;
  lastReadId?: string | undefined;
  unsent?: Unsent[] | undefined;
}

/** The part of the browser's storages that is used. */
export interface Shelf {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export class Memory {
  #name: string;
  #shelf: Shelf | undefined;
  #held: Remembered = {};

  /**
   * @param chatUrl conversations with different bots do not meet
   * @param shelf undefined, or one that throws, as where a visitor has forbidden it, remembers for as long as the page
   * lives
   */
  constructor(chatUrl: string, shelf: Shelf | undefined) {
    this.#name = `parley-chat:${chatUrl}`;
    this.#shelf = shelf;
  }

  read(): Remembered {
    try {
      const text = this.#shelf?.getItem(this.#name);
      const stored = text ? JSON.parse(text) : undefined;
      if (typeof stored === 'object' && stored !== null) this.#held = pick(stored);
    } catch {
      // Damaged or forbidden: as if nothing was remembered.
    }
    return this.#held;
  }

  /** Changes what is given; undefined is forgotten. */
  write(changes: Remembered): void {
    this.#held = pick({ ...this.read(), ...changes });
    try {
      this.#shelf?.setItem(this.#name, JSON.stringify(this.#held));
    } catch {
      // Full or forbidden.
    }
  }

  forget(): void {
    this.#held = {};
    try {
      this.#shelf?.removeItem(this.#name);
    } catch {
      // Forbidden.
    }
  }
}

function pick(stored: object): Remembered {
  const remembered: Remembered = {};
  for (const name of ['userKey', 'userId', 'conversationId', 'lastReadId'] as const) {
    const value = (stored as Record<string, unknown>)[name];
    if (typeof value === 'string') remembered[name] = value;
  }
  const { unsent } = stored as Remembered;
  if (Array.isArray(unsent) && unsent.length > 0) remembered.unsent = unsent.filter(isUnsent);
  return remembered;
}

const isUnsent = (value: Partial<Unsent> | null): boolean =>
  typeof value?.key === 'string' &&
  typeof value.conversationId === 'string' &&
  typeof value.saidMs === 'number' &&
  typeof value.payload?.type === 'string';
