/** Unconfirmed messages: sent in order, retried, and never duplicated. */
import { ChatFault, newKey } from './chatApi.ts';
import type { Message, Said } from './chatContract.ts';

export interface Outgoing {
  /** Idempotency key of the call. */
  key: string;
  payload: Said;
  saidMs: number;
  /** The permanent failure, after which the message waits for {@link Outbox.retry}. */
  fault?: ChatFault | undefined;
  /** Called when the message was stored, or with the reason why it was not. Only the first call counts. */
  onEnd?: ((fault?: ChatFault) => void) | undefined;
}

interface Sending {
  send(payload: Said, key: string): Promise<Message>;
  onSent(message: Message): void;
  onChange(): void;
  firstPauseMs?: number;
}

interface Left {
  outgoing: readonly Outgoing[];
  /** True for messages that may have been sent. */
  hasTried(key: string): boolean;
}

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 1_000;
export const MAX_WAITING = 50;

export class Outbox {
  #sending: Sending;
  #waiting: Outgoing[] = [];
  /** Keys of all messages, including confirmed ones. */
  #keys = new Set<string>();
  #tried = new Set<string>();
  #isOpen = false;
  #isBusy = false;
  #work: Promise<void> | undefined;
  #isStopped = false;
  #wake = () => {};

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** Ordered. The identity changes with the content. */
  get waiting(): readonly Outgoing[] {
    return this.#waiting;
  }

  /** Returns false if the outbox is full. */
  add(payload: Said, onEnd?: Outgoing['onEnd']): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    this.#queue([{ key: newKey(), payload, saidMs: Date.now(), onEnd }]);
    return true;
  }

  /**
   * Adds unsent messages of an earlier visit or conversation before new ones.
   * @param mayBeSent true if an earlier page may have sent them
   */
  restore(unsent: readonly Outgoing[], mayBeSent: boolean): void {
    const unknown = unsent.filter(({ key }) => !this.has(key));
    if (mayBeSent) for (const { key } of unknown) this.#tried.add(key);
    this.#queue(unknown, true);
  }

  /** Starts sending: the conversation exists. */
  open(): void {
    this.#isOpen = true;
    this.#start();
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  retry(key: string): void {
    this.#change(this.#waiting.map(each => (each.key === key ? { ...each, fault: undefined } : each)));
    this.#start();
  }

  /** Removes a message that arrived through the stream before the response of its call. */
  take({ payload }: Message): void {
    const text = JSON.stringify(payload);
    const taken = this.#waiting.find(each => JSON.stringify(each.payload) === text);
    if (taken) this.#drop(taken.key);
  }

  /** Ends a pause, for example when the network returns. */
  wake(): void {
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Stops. Resolves to the unsent messages when no call is in progress. */
  async leave(): Promise<Left> {
    this.stop();
    await this.#work;
    return { outgoing: this.#waiting, hasTried: key => this.#tried.has(key) };
  }

  #queue(messages: Outgoing[], isFirst = false): void {
    if (messages.length === 0) return;
    for (const { key } of messages) this.#keys.add(key);
    this.#change(isFirst ? [...messages, ...this.#waiting] : [...this.#waiting, ...messages]);
    this.#start();
  }

  #start(): void {
    if (!this.#isOpen || this.#isBusy) return;
    this.#isBusy = true;
    this.#work = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const next = this.#waiting.find(({ fault }) => !fault);
      if (!next || this.#isStopped) break;
      await this.#deliver(next);
    }
    this.#isBusy = false;
  }

  async #deliver({ key, payload }: Outgoing): Promise<void> {
    this.#tried.add(key);
    for (let attempt = 0; ; attempt++) {
      try {
        const message = await this.#sending.send(payload, key);
        this.#sending.onSent(message);
        this.#drop(key);
        return;
      } catch (error) {
        const fault = error instanceof ChatFault ? error : new ChatFault(0, 'NoAnswer', String(error));
        const isTaken = !this.#waiting.some(each => each.key === key);
        if (isTaken || this.#isStopped) return;
        if (!fault.isPassing || attempt + 1 >= ATTEMPTS) {
          this.#change(this.#waiting.map(each => (each.key === key ? { ...each, fault } : each)));
          this.#waiting.find(each => each.key === key)?.onEnd?.(fault);
          return;
        }
        await this.#pause(
          Math.max((this.#sending.firstPauseMs ?? FIRST_PAUSE_MS) * 2 ** attempt, fault.retryAfterMs ?? 0),
        );
      }
    }
  }

  #pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  #drop(key: string): void {
    this.#waiting.find(each => each.key === key)?.onEnd?.();
    this.#change(this.#waiting.filter(each => each.key !== key));
  }

  #change(waiting: Outgoing[]): void {
    this.#waiting = waiting;
    this.#sending.onChange();
  }
}
