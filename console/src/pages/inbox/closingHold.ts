/**
 * Holds back the closing of a conversation, so that the member can undo it. One is held at a time. Storage keeps it
 * until the API has confirmed it, so that a reload does not lose it.
 */
export interface Closing {
  /** Idempotency key: sending again has no further effect. */
  key: string;
  workspaceId: string | undefined;
  botId: string;
  conversationId: string;
  handoffId: string;
  /** Another assignee whom the page showed. */
  servedBy?: string;
  /** Absent in what an earlier release stored. */
  outcome?: 'handedBack' | 'resolved';
}

/** Resolves when the outcome is final. */
type Send = (closing: Closing) => Promise<void>;

const KEY = 'parley-console-closing';

export class ClosingHold {
  private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  private readonly send: Send;
  private readonly holdMs: number;
  private readonly listeners = new Set<() => void>();
  private held: Closing | undefined;
  private sending: readonly Closing[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(storage: ClosingHold['storage'], send: Send, holdMs: number) {
    this.storage = storage;
    this.send = send;
    this.holdMs = holdMs;
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** True from the member's action until the API has confirmed it. */
  isClosing(conversationId: string): boolean {
    return this.unconfirmed().some(each => each.conversationId === conversationId);
  }

  /** Sends the previous one immediately. */
  hold(closing: Closing): void {
    void this.flush();
    this.held = closing;
    this.timer = setTimeout(() => void this.flush(), this.holdMs);
    this.changed();
  }

  /** Forgets what is held, of any conversation or of this one. */
  cancel(conversationId = this.held?.conversationId): void {
    if (this.held?.conversationId !== conversationId) return;
    clearTimeout(this.timer);
    this.held = undefined;
    this.changed();
  }

  /** Sends what is held. */
  flush(): Promise<void> {
    const closing = this.held;
    if (!closing) return Promise.resolve();
    clearTimeout(this.timer);
    this.held = undefined;
    return this.start(closing);
  }

  /** Sends what an earlier page did not confirm. */
  resume(): Promise<unknown> {
    const stored = JSON.parse(this.storage.getItem(KEY) ?? '[]') as Closing[];
    return Promise.all(stored.map(closing => this.start(closing)));
  }

  private async start(closing: Closing): Promise<void> {
    this.sending = [...this.sending, closing];
    this.changed();
    await this.send(closing);
    this.sending = this.sending.filter(each => each !== closing);
    this.changed();
  }

  private unconfirmed(): Closing[] {
    return [...this.sending, ...(this.held ? [this.held] : [])];
  }

  private changed(): void {
    const unconfirmed = this.unconfirmed();
    if (unconfirmed.length > 0) this.storage.setItem(KEY, JSON.stringify(unconfirmed));
    else this.storage.removeItem(KEY);
    for (const listener of this.listeners) listener();
  }
}
