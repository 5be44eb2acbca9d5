/** Browser storage of the guest, the conversation, the read mark and unsent messages. */
import type { Said } from './chatContract.ts';

export const STORAGES = ['local', 'session', 'none'] as const;
/** Lifetime: the browser's data, the tab, or the page. */
export type Storage = (typeof STORAGES)[number];

/** An unconfirmed message. */
interface Unsent {
  conversationId: string;
  key: string;
  payload: Said;
  saidMs: number;
  /** True if it may not have reached a former conversation. The visitor decides whether to send it again. */
  isLeft?: boolean | undefined;
}

/** The latest handoff that a person was assigned to, as storage keeps it. */
export interface SeenHandoff {
  /** Time at which a page saw its end. Undefined while it is open. */
  endedAtMs?: number | undefined;
  /** The visitor's rating, 1 to 5. */
  value?: number | undefined;
}

export interface Remembered {
  /** The guest's key. Keys from the page are never stored. */
  userKey?: string | undefined;
  userId?: string | undefined;
  conversationId?: string | undefined;
  lastReadId?: string | undefined;
  unsent?: Unsent[] | undefined;
  /** Messages that the bot could not process, oldest first. */
  failedIds?: string[] | undefined;
  /** The handoff that the visitor may rate, or its end is awaited. */
  handoff?: SeenHandoff | undefined;
  /** Set after WebSockets were blocked, and used until then. */
  socketsBlockedUntilMs?: number | undefined;
}

/** The part of `Storage` that is used. */
export interface Shelf {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export class Memory {
  /** Also names the lock of the tabs that share the storage. */
  readonly name: string;
  #shelf: Shelf | undefined;
  /** Values that storage does not accept last as long as the page. */
  #held: Remembered | undefined;

  /**
   * @param chatUrl separates conversations with different bots
   * @param shelf undefined or blocked storage lasts as long as the page
   */
  constructor(chatUrl: string, shelf: Shelf | undefined) {
    this.name = `parley-chat:${chatUrl}`;
    this.#shelf = shelf;
  }

  read(): Remembered {
    if (this.#held) return this.#held;
    try {
      const text = this.#shelf?.getItem(this.name);
      const stored = text ? JSON.parse(text) : undefined;
      if (typeof stored === 'object' && stored !== null) return pick(stored);
    } catch {
      // Corrupt or blocked storage counts as empty.
    }
    return {};
  }

  /** Merges changes. Undefined removes a value. */
  write(changes: Remembered): void {
    this.#store(pick({ ...this.read(), ...changes }));
  }

  /**
   * Merges changes if the stored user and conversation are those of `owner`: another tab, or a user whom the page has
   * identified meanwhile, may have replaced them. Returns true if it merged the changes.
   */
  update(owner: Pick<Remembered, 'userId' | 'conversationId'>, changes: Remembered): boolean {
    const stored = this.read();
    const isOwner = (Object.keys(owner) as (keyof typeof owner)[]).every(name => stored[name] === owner[name]);
    if (isOwner) this.write(changes);
    return isOwner;
  }

  /** Replaces everything if the stored user is `before`. Returns true if it did. */
  replace(before: string | undefined, next: Remembered): boolean {
    const isExpected = this.read().userId === before;
    if (isExpected) this.#store(pick(next));
    return isExpected;
  }

  forget(): void {
    this.#held = undefined;
    try {
      this.#shelf?.removeItem(this.name);
    } catch {
      // Storage is blocked.
    }
  }

  #store(next: Remembered): void {
    this.#held = this.#shelf ? undefined : next;
    try {
      this.#shelf?.setItem(this.name, JSON.stringify(next));
    } catch {
      // Storage is full or blocked.
      this.#held = next;
    }
  }
}

function pick(stored: object): Remembered {
  const remembered: Remembered = {};
  for (const name of ['userKey', 'userId', 'conversationId', 'lastReadId'] as const) {
    const value = (stored as Record<string, unknown>)[name];
    if (typeof value === 'string') remembered[name] = value;
  }
  const { unsent, failedIds, socketsBlockedUntilMs, handoff } = stored as Remembered;
  if (typeof handoff === 'object' && handoff !== null) remembered.handoff = pickHandoff(handoff);
  if (typeof socketsBlockedUntilMs === 'number') remembered.socketsBlockedUntilMs = socketsBlockedUntilMs;
  if (Array.isArray(unsent) && unsent.length > 0) remembered.unsent = unsent.filter(isUnsent);
  if (Array.isArray(failedIds) && failedIds.length > 0) {
    remembered.failedIds = failedIds.filter(id => typeof id === 'string');
  }
  return remembered;
}

const pickHandoff = ({ endedAtMs, value }: SeenHandoff): SeenHandoff => ({
  ...(typeof endedAtMs === 'number' ? { endedAtMs } : {}),
  ...(typeof value === 'number' ? { value } : {}),
});

const isUnsent = (value: Partial<Unsent> | null): boolean =>
  typeof value?.key === 'string' &&
  typeof value.conversationId === 'string' &&
  typeof value.saidMs === 'number' &&
  typeof value.payload?.type === 'string';
