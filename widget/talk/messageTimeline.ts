/** The ordered messages of a conversation without duplicates. */
import type { ChatApi } from './chatApi.ts';
import type { Message } from './chatContract.ts';

/** Maximum number of missed messages to load. "Show earlier messages" loads the rest. */
const CATCH_UP_PAGES = 25;
const MAX_MESSAGES = 1_000;

/** Ids contain positions, so they sort by time. */
const inOrder = (a: Message, b: Message) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

export class Timeline {
  #byId = new Map<string, Message>();
  #all: readonly Message[] = [];
  #removed = new Set<string>();
  #earlier: string | undefined;
  #isRead = false;

  /** Ordered. The identity changes with the content. */
  get messages(): readonly Message[] {
    return this.#all;
  }

  /** True if {@link readEarlier} can load more. */
  get hasEarlier(): boolean {
    return this.#earlier !== undefined && this.#all.length < MAX_MESSAGES;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  put(messages: readonly Message[]): void {
    for (const message of messages) if (!this.#removed.has(message.id)) this.#byId.set(message.id, message);
    this.#sort();
  }

  remove(id: string): void {
    this.#removed.add(id);
    this.#byId.delete(id);
    this.#sort();
  }

  /** Loads the newest messages: initially one page, later all new messages. */
  async catchUp(api: ChatApi, conversationId: string): Promise<void> {
    const read: Message[] = [];
    const before = [...this.#byId.keys()];
    let nextToken: string | undefined;
    for (let page = 0; page < (this.#isRead ? CATCH_UP_PAGES : 1); page++) {
      const answer = await api.listMessages(conversationId, nextToken);
      read.push(...answer.messages);
      nextToken = answer.meta.nextToken;
      if (!nextToken || answer.messages.some(({ id }) => this.#byId.has(id))) {
        this.#dropDeleted(before, read, nextToken ? read.at(-1)!.id : '');
        this.put(read);
        if (!this.#isRead) this.#earlier = nextToken;
        this.#isRead = true;
        return;
      }
    }
    // Drops earlier messages if a gap remains.
    if (this.#isRead) this.#byId.clear();
    this.#earlier = nextToken;
    this.#isRead = true;
    this.put(read);
  }

  /** Removes known messages that the server no longer lists since the oldest listed one. */
  #dropDeleted(known: readonly string[], listed: readonly Message[], oldest: string): void {
    const ids = new Set(listed.map(({ id }) => id));
    for (const id of known) if (id >= oldest && !ids.has(id)) this.#byId.delete(id);
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
