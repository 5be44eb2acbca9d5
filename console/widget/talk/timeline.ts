/** The messages of a conversation in their order, each once, however often and from wherever they come. */
import type { ChatApi } from './chatApi.ts';
import type { Message } from './contract.ts';

/** Reading back what was missed ends here; the rest is behind "Show earlier messages". */
const CATCH_UP_PAGES = 25;
/** A page holds no more of a conversation than this. */
const MOST_MESSAGES = 1_000;

/** An id contains its message's position, so their order is that of the conversation. */
const inOrder = (a: Message, b: Message) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

export class Timeline {
  #byId = new Map<string, Message>();
  #all: readonly Message[] = [];
  #removed = new Set<string>();
  #earlier: string | undefined;
  #isRead = false;

  /** In their order. The same list until one changes. */
  get messages(): readonly Message[] {
    return this.#all;
  }

  /** {@link readEarlier} can read more. */
  get hasEarlier(): boolean {
    return this.#earlier !== undefined && this.#all.length < MOST_MESSAGES;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Adds new messages, and replaces those that are there. */
  put(messages: readonly Message[]): void {
    for (const message of messages) if (!this.#removed.has(message.id)) this.#byId.set(message.id, message);
    this.#sort();
  }

  remove(id: string): void {
    this.#removed.add(id);
    this.#byId.delete(id);
    this.#sort();
  }

  /** Reads the newest messages: a page of them at first, later whatever is new. */
  async catchUp(api: ChatApi, conversationId: string): Promise<void> {
    const read: Message[] = [];
    let nextToken: string | undefined;
    for (let page = 0; page < (this.#isRead ? CATCH_UP_PAGES : 1); page++) {
      const answer = await api.listMessages(conversationId, nextToken);
      read.push(...answer.messages);
      nextToken = answer.meta.nextToken;
      if (!nextToken || answer.messages.some(({ id }) => this.#byId.has(id))) {
        this.put(read);
        if (!this.#isRead) this.#earlier = nextToken;
        this.#isRead = true;
        return;
      }
    }
    // The gap between these and the earlier ones was not read, so the earlier ones go.
    if (this.#isRead) this.#byId.clear();
    this.#earlier = nextToken;
    this.#isRead = true;
    this.put(read);
  }

  async readEarlier(api: ChatApi, conversationId: string): Promise<void> {
    if (!this.hasEarlier) return;
    const { messages, meta } = await api.listMessages(conversationId, this.#earlier);
    this.#earlier = meta.nextToken;
    this.put(messages);
  }

  #sort(): void {
    this.#all = [...this.#byId.values()].sort(inOrder);
  }
}
