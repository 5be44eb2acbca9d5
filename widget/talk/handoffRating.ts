/** Whether the visitor may rate the latest handoff of a conversation. Its end may pass while no page is open. */
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { Handoff } from './chatContract.ts';
import type { Memory, SeenHandoff } from './memory.ts';

/** The chat accepts ratings this long after the end. */
const RATABLE_MS = 7 * 24 * 60 * 60_000;

export class HandoffRating {
  #memory: Memory;
  #conversationId: string;
  #seen: SeenHandoff | undefined;

  constructor(memory: Memory, conversationId: string) {
    this.#memory = memory;
    this.#conversationId = conversationId;
    const stored = memory.read();
    if (stored.conversationId === conversationId) this.#seen = stored.handoff;
  }

  /** Undefined if there is nothing to rate. */
  get state(): { value: number | undefined } | undefined {
    const { endedAtMs, value } = this.#seen ?? {};
    return endedAtMs !== undefined && Date.now() - endedAtMs < RATABLE_MS ? { value } : undefined;
  }

  /** Notes the current handoff. Undefined while the bot handles the conversation. */
  follow(handoff: Handoff | undefined): void {
    if (handoff?.status === 'served') this.#set({});
    else if (!handoff && this.#seen && this.#seen.endedAtMs === undefined) this.#set({ endedAtMs: Date.now() });
  }

  /** @throws ChatFault. After a permanent one, there is nothing to rate. */
  async rate(api: ChatApi, value: number, comment: string): Promise<void> {
    const seen = this.#seen;
    try {
      await api.rateHandoff(this.#conversationId, value, comment);
      if (this.#seen === seen) this.#set({ ...seen, value });
    } catch (fault) {
      if (fault instanceof ChatFault && !fault.isPassing && this.#seen === seen) this.dismiss();
      throw fault;
    }
  }

  dismiss(): void {
    this.#set(undefined);
  }

  #set(seen: SeenHandoff | undefined): void {
    this.#seen = seen;
    this.#memory.update({ conversationId: this.#conversationId }, { handoff: seen });
  }
}
