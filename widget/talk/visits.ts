/** Reports the pages of the visitor, while they are in a conversation. */
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { Visit } from './chatContract.ts';

/** Pages set their title after a navigation. */
const SETTLE_MS = 1_000;
const INTERVAL_MS = 10_000;
/** A page that is shown again after this time is reported again, as the visitor may have been elsewhere. */
const REPEAT_MS = 60_000;

export interface VisitedPages {
  /** Returns undefined if there is nothing to report. */
  read(): Visit | undefined;
  /** Returns a function that ends it. */
  follow(onChange: () => void): () => void;
}

export class Visits {
  #api: ChatApi;
  #pages: VisitedPages | undefined;
  #conversationId: string | undefined;
  #unfollow: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reported = '';
  #reportedMs = 0;

  /** @param pages undefined if the embedding page has turned visits off */
  constructor(api: ChatApi, pages: VisitedPages | undefined) {
    this.#api = api;
    this.#pages = pages;
  }

  enter(conversationId: string): void {
    if (!this.#pages) return;
    this.#conversationId = conversationId;
    this.#unfollow ??= this.#pages.follow(() => this.#look());
    this.#look();
  }

  stop(): void {
    this.#unfollow?.();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#conversationId = undefined;
  }

  #look(): void {
    if (this.#timer !== undefined || this.#conversationId === undefined) return;
    const pauseMs = Math.max(SETTLE_MS, this.#reportedMs + INTERVAL_MS - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#report();
    }, pauseMs);
  }

  #report(): void {
    const conversationId = this.#conversationId;
    const visit = document.visibilityState === 'visible' ? this.#pages!.read() : undefined;
    if (conversationId === undefined || !visit) return;
    const nowMs = Date.now();
    const report = JSON.stringify([conversationId, visit]);
    if (report === this.#reported && nowMs - this.#reportedMs < REPEAT_MS) return;
    this.#reported = report;
    this.#reportedMs = nowMs;
    this.#api.setVisit(conversationId, visit).catch(fault => {
      // The next navigation reports it. A rejected report would be rejected again.
      if (fault instanceof ChatFault && fault.isPassing) this.#reported = '';
    });
  }
}
