/**
 * Holds back the closing of one or several conversations, so that the member can undo it. One action is held at a time.
 * Storage keeps it until the API has confirmed it, so that a reload does not lose it.
 */
export interface Closing {
  /** Idempotency key: sending again has no further effect. */
  key: string;
  workspaceId: string | undefined;
  botId: string;
  conversationId: string;
  /** Name of the customer, if several conversations are closed. */
  name?: string;
  handoffId: string;
  /** Another assignee whom the page showed. */
  servedBy?: string;
  outcome: 'handedBack' | 'resolved';
}

/** Resolves when the outcome is final. */
type Send = (closing: Closing) => Promise<void>;

/** Sends closings that ended their hold together. */
type SendAll = (closings: readonly Closing[], send: Send) => Promise<unknown>;

const sendConcurrently: SendAll = (closings, send) => Promise.all(closings.map(send));

const KEY = 'parley-console-closing';

export class ClosingHold {
  private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  private readonly send: Send;
  private readonly holdMs: number;
  private readonly sendAll: SendAll;
  private readonly listeners = new Set<() => void>();
  private held: readonly Closing[] = [];
  private sending: readonly Closing[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(storage: ClosingHold['storage'], send: Send, holdMs: number, sendAll: SendAll = sendConcurrently) {
    this.storage = storage;
    this.send = send;
    this.holdMs = holdMs;
    this.sendAll = sendAll;
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Returns the outcome from the member's action until the API has confirmed it. */
  outcomeOf(conversationId: string): Closing['outcome'] | undefined {
    return this.unconfirmed().find(each => each.conversationId === conversationId)?.outcome;
  }

  /** Sends the previous ones immediately. */
  hold(...closings: readonly Closing[]): void {
    void this.flush();
    this.held = closings;
    this.timer = setTimeout(() => void this.flush(), this.holdMs);
    this.changed();
  }

  /** Forgets what is held, of any conversation or of this one. */
  cancel(conversationId?: string): void {
    const left = this.held.filter(each => conversationId !== undefined && each.conversationId !== conversationId);
    if (left.length === this.held.length) return;
    this.held = left;
    if (left.length === 0) clearTimeout(this.timer);
    this.changed();
  }

  /** Sends what is held. */
  async flush(): Promise<void> {
    const closings = this.held;
    if (closings.length === 0) return;
    clearTimeout(this.timer);
    this.held = [];
    await this.startAll(closings);
  }

  /** Sends what an earlier page did not confirm. */
  resume(): Promise<unknown> {
    const stored = JSON.parse(this.storage.getItem(KEY) ?? '[]') as Closing[];
    return this.startAll(stored);
  }

  private async startAll(closings: readonly Closing[]): Promise<void> {
    this.sending = [...this.sending, ...closings];
    this.changed();
    await this.sendAll(closings, closing => this.start(closing));
  }

  private async start(closing: Closing): Promise<void> {
    await this.send(closing);
    this.sending = this.sending.filter(each => each !== closing);
    this.changed();
  }

  private unconfirmed(): Closing[] {
    return [...this.sending, ...this.held];
  }

  private changed(): void {
    const unconfirmed = this.unconfirmed();
    if (unconfirmed.length > 0) this.storage.setItem(KEY, JSON.stringify(unconfirmed));
    else this.storage.removeItem(KEY);
    for (const listener of this.listeners) listener();
  }
}
