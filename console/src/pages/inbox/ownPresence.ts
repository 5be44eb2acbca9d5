/** Shows colleagues that the member views a conversation or writes. Renews it while the page is visible. */
import type { Body } from '../../api/contract.ts';

export type PresenceState = Body<'showPresence'>['state'];
export type Writing = Exclude<PresenceState, 'viewing' | 'left'>;

/** Skips conversations that a member only steps through. */
const DWELL_MS = 1_000;
/** Renewal interval. Presence expires after 75 seconds. */
const RENEW_MS = 45_000;
/** Writing expires after 30 seconds. */
const REPEAT_MS = 15_000;
/** A member who pauses is only viewing. */
const PAUSE_MS = 20_000;

export class OwnPresence {
  #send: (state: PresenceState) => void;
  #isVisible: () => boolean;
  #state: PresenceState = 'viewing';
  #sentMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (state: PresenceState) => void, isVisible: () => boolean) {
    this.#send = send;
    this.#isVisible = isVisible;
    this.#timer = setTimeout(() => this.#renew(), DWELL_MS);
  }

  /** Called when the member types. */
  write(state: Writing): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.rest(), PAUSE_MS);
    const isKnown = this.#state === state && Date.now() - (this.#sentMs ?? 0) < REPEAT_MS;
    this.#state = state;
    if (!isKnown) this.#renew();
  }

  /** Called when the member sends or clears the text, or pauses. */
  rest(): void {
    clearTimeout(this.#pause);
    if (this.#state === 'viewing') return;
    this.#state = 'viewing';
    this.#renew();
  }

  /** Called when the page is hidden or shown. */
  look(): void {
    if (Date.now() - (this.#sentMs ?? 0) >= RENEW_MS) this.#renew();
  }

  leave(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#pause);
    if (this.#sentMs !== undefined) this.#send('left');
    this.#sentMs = undefined;
  }

  #renew(): void {
    clearTimeout(this.#timer);
    if (!this.#isVisible()) return;
    this.#sentMs = Date.now();
    this.#send(this.#state);
    this.#timer = setTimeout(() => this.#renew(), RENEW_MS);
  }
}

/** The presence in the open conversation, which the composer updates. */
const open = new Map<string, OwnPresence>();

/** @returns a function that ends it */
export function enter(conversationId: string, presence: OwnPresence): () => void {
  open.set(conversationId, presence);
  return () => {
    if (open.get(conversationId) === presence) open.delete(conversationId);
    presence.leave();
  };
}

/** Shows colleagues that the member writes, or has removed the text. */
export function showWriting(conversationId: string, { text, isNote }: { text: string; isNote: boolean }): void {
  const presence = open.get(conversationId);
  if (text.trim() === '') presence?.rest();
  else presence?.write(isNote ? 'writingNote' : 'writingReply');
}

export const showSent = (conversationId: string): void => open.get(conversationId)?.rest();
