/**
 * Replies and notes that are being sent. They outlive their page, so a member can move on while one is sent, and finds
 * one that failed.
 */
import { useSyncExternalStore } from 'react';
import { currentSession, subscribe } from '../../session/session.ts';

export interface Outgoing {
  /** Idempotency key: sending again creates no second message. */
  key: string;
  conversationId: string;
  text: string;
  isNote: boolean;
  createdAt: string;
  state: 'sending' | 'sent' | 'failed';
  error?: unknown;
  /** Id of the message or note, once sent. */
  id?: string;
}

type Send = (outgoing: Outgoing) => Promise<string>;

const NONE: readonly Outgoing[] = [];

export class Outbox {
  private readonly items = new Map<string, readonly Outgoing[]>();
  private readonly senders = new Map<string, Send>();
  private readonly queues = new Map<string, Promise<void>>();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(conversationId: string): readonly Outgoing[] {
    return this.items.get(conversationId) ?? NONE;
  }

  /** Sends one after another, to preserve the order in the conversation. */
  add(conversationId: string, { text, isNote }: { text: string; isNote: boolean }, send: Send): void {
    const key = crypto.randomUUID();
    const outgoing: Outgoing = {
      key,
      conversationId,
      text,
      isNote,
      createdAt: new Date().toISOString(),
      state: 'sending',
    };
    this.senders.set(key, send);
    this.set(conversationId, [...this.of(conversationId), outgoing]);
    this.enqueue(outgoing);
  }

  retry({ conversationId, key }: Outgoing): void {
    this.change(conversationId, key, { state: 'sending', error: undefined });
    const outgoing = this.of(conversationId).find(each => each.key === key);
    if (outgoing) this.enqueue(outgoing);
  }

  remove({ conversationId, key }: Pick<Outgoing, 'conversationId' | 'key'>): void {
    this.senders.delete(key);
    this.set(
      conversationId,
      this.of(conversationId).filter(each => each.key !== key),
    );
  }

  /** Forgets everything, for a new session. */
  clear(): void {
    this.items.clear();
    this.senders.clear();
    this.queues.clear();
  }

  private enqueue(outgoing: Outgoing): void {
    const { conversationId, key } = outgoing;
    const before = this.queues.get(conversationId) ?? Promise.resolve();
    const send = async () => {
      try {
        const id = await this.senders.get(key)?.(outgoing);
        this.change(conversationId, key, { state: 'sent', ...(id === undefined ? {} : { id }) });
      } catch (error) {
        this.change(conversationId, key, { state: 'failed', error });
      }
    };
    this.queues.set(conversationId, before.then(send));
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
    for (const listener of this.listeners) listener();
  }
}

export const outbox = new Outbox();
subscribe(() => {
  if (!currentSession()) outbox.clear();
});

export const useOutbox = (conversationId: string): readonly Outgoing[] =>
  useSyncExternalStore(outbox.subscribe, () => outbox.of(conversationId));
