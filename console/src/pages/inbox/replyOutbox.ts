/**
 * Unsent replies and notes. Sending continues while the member works on another page. Session storage keeps them until
 * the member signs out.
 */
import { CallError } from '../../api/parley.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import type { SentFile } from './attachmentFiles.ts';

export interface Outgoing {
  /** Idempotency key: sending again creates no second message. */
  key: string;
  conversationId: string;
  text: string;
  isNote: boolean;
  /** Members whom a note mentions. */
  mentions?: string[];
  /** Set for an attachment, which has no text. */
  file?: SentFile;
  /** Set for replies. */
  handoffId?: string;
  createdAt: string;
  state: 'sending' | 'sent' | 'failed';
  error?: unknown;
  /** Id of the message or note, once sent. */
  id?: string;
}

export type Send = (outgoing: Outgoing) => Promise<string>;

const t = translator('inbox', inbox);

const KEY = 'parley-console-outbox';
const NONE: readonly Outgoing[] = [];

type Stored = Omit<Outgoing, 'state' | 'error' | 'id'> & {
  error?: { code?: number; id?: string; type?: string; message: string; metadata?: object };
};

function toStored({ state, error, id, ...outgoing }: Outgoing): Stored {
  if (state !== 'failed') return outgoing;
  if (!(error instanceof CallError))
    return { ...outgoing, error: { message: error instanceof Error ? error.message : '' } };
  const { code, id: errorId, type, message, metadata } = error;
  return { ...outgoing, error: { code, type, message, metadata, ...(errorId === undefined ? {} : { id: errorId }) } };
}

/** An interrupted request may have succeeded. Sending it again creates no duplicate, because the key is the same. */
function fromStored({ error, ...outgoing }: Stored): Outgoing {
  const { code, message = t('interrupted'), ...details } = error ?? {};
  return {
    ...outgoing,
    state: 'failed',
    error: code === undefined ? new Error(message) : new CallError(code, { message, ...details }),
  };
}

export class Outbox {
  private readonly items = new Map<string, readonly Outgoing[]>();
  private readonly queues = new Map<string, Promise<void>>();
  private readonly listeners = new Set<() => void>();
  private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

  constructor(storage: Outbox['storage']) {
    this.storage = storage;
    const stored = JSON.parse(storage.getItem(KEY) ?? '[]') as Stored[];
    for (const each of stored) {
      this.items.set(each.conversationId, [...this.of(each.conversationId), fromStored(each)]);
    }
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(conversationId: string): readonly Outgoing[] {
    return this.items.get(conversationId) ?? NONE;
  }

  /** False while an entry of the conversation is being sent. */
  isIdle(conversationId: string): boolean {
    return this.of(conversationId).every(({ state }) => state !== 'sending');
  }

  /** Resolves when the entries that were added have been sent or have failed. */
  whenIdle(conversationId: string): Promise<void> {
    return this.queues.get(conversationId) ?? Promise.resolve();
  }

  /** Sends sequentially, to preserve the order in the conversation. */
  add(
    conversationId: string,
    content: Pick<Outgoing, 'text' | 'isNote' | 'mentions' | 'handoffId' | 'file'>,
    send: Send,
  ): void {
    const outgoing: Outgoing = {
      ...content,
      key: crypto.randomUUID(),
      conversationId,
      createdAt: new Date().toISOString(),
      state: 'sending',
    };
    this.set(conversationId, [...this.of(conversationId), outgoing]);
    this.enqueue(outgoing, send);
  }

  retry({ conversationId, key }: Outgoing, send: Send): void {
    this.change(conversationId, key, { state: 'sending', error: undefined });
    const outgoing = this.of(conversationId).find(each => each.key === key);
    if (outgoing) this.enqueue(outgoing, send);
  }

  remove({ conversationId, key }: Pick<Outgoing, 'conversationId' | 'key'>): void {
    this.set(
      conversationId,
      this.of(conversationId).filter(each => each.key !== key),
    );
  }

  /** Removes everything, for a new session. */
  clear(): void {
    this.items.clear();
    this.queues.clear();
    this.storage.removeItem(KEY);
  }

  private enqueue(outgoing: Outgoing, send: Send): void {
    const { conversationId, key } = outgoing;
    const before = this.queues.get(conversationId) ?? Promise.resolve();
    const sendNext = async () => {
      try {
        this.change(conversationId, key, { state: 'sent', id: await send(outgoing) });
      } catch (error) {
        this.change(conversationId, key, { state: 'failed', error });
      }
    };
    this.queues.set(conversationId, before.then(sendNext));
  }

  private change(conversationId: string, key: string, change: Partial<Outgoing>): void {
    this.set(
      conversationId,
      this.of(conversationId).map(each => (each.key === key ? { ...each, ...change } : each)),
    );
  }

  private set(conversationId: string, items: readonly Outgoing[]): void {
    if (items.length > 0) this.items.set(conversationId, items);
    else this.items.delete(conversationId);
    this.store();
    for (const listener of this.listeners) listener();
  }

  private store(): void {
    const unsent = [...this.items.values()].flat().filter(({ state }) => state !== 'sent');
    if (unsent.length > 0) this.storage.setItem(KEY, JSON.stringify(unsent.map(toStored)));
    else this.storage.removeItem(KEY);
  }
}
