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
  /** Messages without a gap between them. Own ones that were sent while away are not among them. */
  #gapless = new Set<string>();
  #isGapless = false;
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

  /** Adds a message that the connection received. */
  receive(message: Message): void {
    if (this.#isGapless) this.#gapless.add(message.id);
    this.put([message]);
  }

  remove(id: string): void {
    this.#removed.add(id);
    this.#byId.delete(id);
    this.#sort();
  }

  /**
   * Loads the newest messages: initially one page, later all new ones. The connection already receives messages, which
   * must not end the search for missed ones.
   */
  async catchUp(api: ChatApi, conversationId: string): Promise<void> {
    this.#isGapless = false;
    const read: Message[] = [];
    const before = [...this.#byId.keys()];
    let nextToken: string | undefined;
    for (let page = 0; page < (this.#isRead ? CATCH_UP_PAGES : 1); page++) {
      const answer = await api.listMessages(conversationId, nextToken);
      read.push(...answer.messages);
      nextToken = answer.meta.nextToken;
      if (!nextToken || answer.messages.some(({ id }) => this.#gapless.has(id))) {
        this.#dropDeleted(before, read, nextToken ? read.at(-1)!.id : '');
        if (!this.#isRead) this.#earlier = nextToken;
        this.#endCatchUp(read);
        return;
      }
    }
    // Drops earlier messages if a gap remains.
    const oldest = read.at(-1)!.id;
    if (this.#isRead) for (const id of this.#byId.keys()) if (id < oldest) this.#byId.delete(id);
    this.#earlier = nextToken;
    this.#endCatchUp(read);
  }

  #endCatchUp(read: readonly Message[]): void {
    this.put(read);
    this.#gapless = new Set(this.#byId.keys());
    this.#isGapless = true;
    this.#isRead = true;
  }

  /** Removes known messages that the server no longer lists since the oldest listed one. */
  #dropDeleted(known: readonly string[], listed: readonly Message[], oldest: string): void {
    const ids = new Set(listed.map(({ id }) => id));
    for (const id of known) if (id >= oldest && !ids.has(id)) this.#byId.delete(id);
  }

  /** @param onRead called before the messages are added */
  async readEarlier(
    api: ChatApi,
    conversationId: string,
    onRead: (messages: readonly Message[]) => void = () => {},
  ): Promise<void> {
    if (!this.hasEarlier) return;
    const { messages, meta } = await api.listMessages(conversationId, this.#earlier);
    onRead(messages);
    this.#earlier = meta.nextToken;
    this.put(messages);
  }

  #sort(): void {
    this.#all = [...this.#byId.values()].sort(inOrder);
  }
}
