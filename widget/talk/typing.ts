/** Listeners end the typing indicator after this time. */
const TYPING_MS = 10_000;
/** Interval of the signal during continued typing. */
const REPEAT_MS = 5_000;

/** Sends signals of the visitor's typing. */
export class OwnTyping {
  #sentMs = 0;

  /** Makes the next {@link update} send a signal, because a message ends the typing indicator of all listeners. */
  reset(): void {
    this.#sentMs = 0;
  }

  /** Failures are not retried. */
  update(isTyping: boolean, send: (isTyping: boolean) => Promise<unknown>): void {
    const nowMs = Date.now();
    const isKnown = isTyping ? nowMs - this.#sentMs < REPEAT_MS : this.#sentMs === 0;
    if (isKnown) return;
    this.#sentMs = isTyping ? nowMs : 0;
    send(isTyping).catch(() => {});
  }
}

/** The typing indicator of the other participants. */
export class OtherTyping {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onExpiry: () => void;
  isTyping = false;

  constructor(onExpiry: () => void) {
    this.#onExpiry = onExpiry;
  }

  show(isTyping: boolean): void {
    clearTimeout(this.#timer);
    this.isTyping = isTyping;
    if (!isTyping) return;
    this.#timer = setTimeout(() => {
      this.isTyping = false;
      this.#onExpiry();
    }, TYPING_MS);
  }

  stop(): void {
    this.show(false);
  }
}
