/** The state of a conversation with a bot: participants, messages, typing and unread messages. */
import { ChatApi, ChatFault } from './chatApi.ts';
import { ALONE, Company, type CompanyState } from './company.ts';
import type { Message, Said, Signal } from './contract.ts';
import { enter } from './entrance.ts';
import { type Connection, Listener, type Pauses } from './listener.ts';
import type { Memory } from './memory.ts';
import { Outbox, type Outgoing } from './outbox.ts';
import { ReadMark } from './readMark.ts';
import { Timeline } from './timeline.ts';
import { OtherTyping, OwnTyping } from './typing.ts';
import { restoreUnsent, storeUnsent } from './unsent.ts';

export interface TalkState extends CompanyState {
  /** `resting` has made no call yet; `over` was deleted, or the user was removed. */
  phase: 'resting' | 'starting' | 'ready' | 'failed' | 'over';
  /** The error that prevents the conversation. */
  failure?: ChatFault | undefined;
  connection: Connection;
  userId?: string;
  messages: readonly Message[];
  waiting: readonly Outgoing[];
  /** Messages of the visitor that the bot could not process. */
  failedIds: readonly string[];
  hasEarlier: boolean;
  isOtherTyping: boolean;
  unread: number;
}

interface TalkOptions {
  chatUrl: string;
  memory: Memory;
  /** The key of an identified user; undefined for a guest. */
  userKey?: string | undefined;
  /** Called for the bot's custom events. */
  onEvent?: (payload: Record<string, unknown>) => void;
  pauses?: Pauses;
}

const MAX_FAILED = 20;

export class Talk {
  #api: ChatApi;
  #memory: Memory;
  #isGuest: boolean;
  #pauses: Pauses | undefined;
  #onEvent: (payload: Record<string, unknown>) => void;
  #conversationId: string | undefined;
  #timeline = new Timeline();
  #listener: Listener | undefined;
  #company: Company | undefined;
  #outbox: Outbox;
  #watchers = new Set<() => void>();
  #readMark: ReadMark;
  #ownTyping = new OwnTyping();
  #otherTyping = new OtherTyping(() => this.#publish());
  #isSeen = false;
  #hasListened = false;
  /** Counts attempts to enter, so that stopped ones have no effect. */
  #round = 0;
  #state: TalkState = {
    phase: 'resting',
    connection: 'connecting',
    messages: [],
    waiting: [],
    failedIds: [],
    hasEarlier: false,
    isOtherTyping: false,
    unread: 0,
    ...ALONE,
  };

  constructor({ chatUrl, memory, userKey, onEvent = () => {}, pauses }: TalkOptions) {
    this.#api = new ChatApi(chatUrl, userKey);
    this.#memory = memory;
    this.#readMark = new ReadMark(memory);
    this.#isGuest = userKey === undefined;
    this.#pauses = pauses;
    this.#onEvent = onEvent;
    this.#outbox = this.#newOutbox();
  }

  get state(): TalkState {
    return this.#state;
  }

  /** True if storage has a conversation. */
  get isRemembered(): boolean {
    return this.#memory.read().conversationId !== undefined;
  }

  /** Returns a function that removes the watcher. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Resumes or begins the conversation once, and again after a failure. */
  start(): void {
    if (this.#state.phase !== 'resting' && this.#state.phase !== 'failed') return;
    this.#enter(false);
  }

  /** Begins a new conversation. The previous one remains with the bot. */
  startAnew(): void {
    this.stop();
    this.#timeline = new Timeline();
    this.#outbox = this.#newOutbox();
    this.#hasListened = false;
    this.#publish(ALONE);
    this.#enter(true);
  }

  stop(): void {
    this.#round++;
    this.#listener?.stop();
    this.#outbox.stop();
    this.#otherTyping.stop();
    this.#readMark.stop();
  }

  /** Stops listening until {@link resume}, which loads missed messages. */
  pause(): void {
    this.#listener?.stop();
  }

  resume(): void {
    if (this.#state.phase === 'ready') this.#listener?.start();
  }

  /** Retries immediately, because the network may be back. */
  wake(): void {
    this.#listener?.wake();
    this.#outbox.wake();
  }

  /** Returns false if the message was rejected. */
  say(payload: Said): boolean {
    this.#ownTyping.reset();
    return this.#outbox.add(payload);
  }

  retry(key: string): void {
    this.#outbox.retry(key);
  }

  /** Sends a message that the bot could not process as a new one. */
  sayAgain(messageId: string): void {
    const message = this.#state.messages.find(({ id }) => id === messageId);
    if (!message || !this.say(message.payload as Said)) return;
    this.#rememberFailed(this.#state.failedIds.filter(id => id !== messageId));
  }

  /** @throws ChatFault when the upload fails */
  async sendFile(file: File): Promise<void> {
    await this.#whenReady();
    const { url, contentType } = await this.#api.upload(file);
    const kind = contentType.split('/')[0];
    if (kind === 'image') this.say({ type: 'image', imageUrl: url });
    else if (kind === 'audio') this.say({ type: 'audio', audioUrl: url });
    else if (kind === 'video') this.say({ type: 'video', videoUrl: url });
    else this.say({ type: 'file', fileUrl: url, title: file.name });
  }

  /** Sends an event of the page, which the bot receives as `<alias>:custom`. @throws ChatFault */
  async sendEvent(payload: object): Promise<void> {
    if (!this.#conversationId)
      throw new ChatFault(0, 'NoConversation', 'There is no conversation yet. Open the chat first.');
    await this.#api.createEvent(this.#conversationId, payload);
  }

  /** Signals the start or end of typing. */
  type(isTyping: boolean): void {
    const conversationId = this.#conversationId;
    if (conversationId) this.#ownTyping.update(isTyping, value => this.#api.showTyping(conversationId, value));
  }

  /** @param isSeen true while the messages are visible */
  see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#publish();
  }

  /** Takes over the read mark of another tab. */
  syncRead(): void {
    if (this.#readMark.sync(this.#conversationId)) this.#publish();
  }

  /** @throws ChatFault */
  async showEarlier(): Promise<void> {
    await this.#timeline.readEarlier(this.#api, this.#conversationId!);
    this.#publish();
  }

  /** @throws ChatFault when the conversation cannot begin */
  #whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const { phase, failure } = this.#state;
        if (phase !== 'ready' && phase !== 'failed' && phase !== 'over') return;
        unwatch();
        if (phase === 'ready') resolve();
        else reject(failure ?? new ChatFault(0, 'NoConversation', 'The conversation has ended.'));
      };
      const unwatch = this.watch(look);
      look();
    });
  }

  #enter(isNew: boolean): void {
    const round = ++this.#round;
    this.#publish({ phase: 'starting', failure: undefined, connection: 'connecting' });
    enter({ api: this.#api, memory: this.#memory, isGuest: this.#isGuest, isNew }).then(
      ({ userId, conversationId }) => {
        // The attempt was stopped.
        if (round !== this.#round) return;
        this.#conversationId = conversationId;
        this.#readMark.load();
        this.#publish({ phase: 'ready', userId, failedIds: this.#memory.read().failedIds ?? [] });
        this.#company = this.#newCompany(conversationId, userId);
        this.#listener = this.#newListener(conversationId);
        this.#listener.start();
        restoreUnsent(this.#memory, this.#outbox, conversationId);
        // Sends messages that were written before the conversation existed.
        this.#outbox.wake();
      },
      failure => {
        if (round === this.#round) this.#publish({ phase: 'failed', failure });
      },
    );
  }

  #newOutbox(): Outbox {
    const outbox: Outbox = new Outbox({
      send: async (payload, key) => {
        if (this.#state.phase !== 'ready') throw new ChatFault(0, 'NoConversation', 'There is no conversation yet.');
        return (await this.#api.createMessage(this.#conversationId!, payload, key)).message;
      },
      onSent: message => {
        if (outbox !== this.#outbox) return;
        this.#timeline.put([message]);
        this.#publish();
      },
      onChange: () => {
        if (outbox === this.#outbox && this.#conversationId) storeUnsent(this.#memory, outbox, this.#conversationId);
        this.#publish();
      },
      ...(this.#pauses ? { firstPauseMs: this.#pauses.firstMs } : {}),
    });
    return outbox;
  }

  #newListener(conversationId: string): Listener {
    const timeline = this.#timeline;
    const listener: Listener = new Listener({
      open: (lastEventId, abort) => this.#api.listen(conversationId, lastEventId, abort),
      onOpen: async isResumed => {
        // Resumed streams have no gaps.
        if (!isResumed) await timeline.catchUp(this.#api, conversationId);
        this.#hasListened = true;
        this.#publish();
        void this.#company?.read();
      },
      onSignal: signal => this.#hear(signal),
      onConnection: connection => {
        if (listener === this.#listener) this.#publish({ connection });
      },
      onRefused: fault => {
        if (listener === this.#listener) this.#turnAway(fault);
      },
      ...(this.#pauses ? { pauses: this.#pauses } : {}),
    });
    return listener;
  }

  #newCompany(conversationId: string, userId: string): Company {
    const company: Company = new Company({
      api: this.#api,
      conversationId,
      userId,
      onChange: state => {
        if (company === this.#company) this.#publish(state);
      },
    });
    return company;
  }

  /** Silently replaces a deleted conversation from storage. Reports one that ends while open. */
  #turnAway(fault: ChatFault): void {
    if (fault.status === 401 && !this.#isGuest) {
      this.#publish({ phase: 'failed', failure: fault });
    } else if (this.#hasListened) {
      this.#publish({ phase: 'over' });
    } else {
      this.#hasListened = true;
      if (fault.status === 401) this.#memory.forget();
      this.#timeline = new Timeline();
      this.#enter(true);
    }
  }

  #hear(signal: Signal): void {
    const { userId } = this.#state;
    this.#company?.hear(signal);
    switch (signal.type) {
      case 'message_created':
      case 'message_updated': {
        const { isBot: _, ...message } = signal.data;
        const isOwn = message.userId === userId;
        if (isOwn && !this.#timeline.has(message.id)) this.#outbox.take(message);
        this.#timeline.put([message]);
        if (!isOwn) this.#otherTyping.show(false);
        break;
      }
      case 'message_deleted':
        this.#timeline.remove(signal.data.id);
        break;
      case 'event_created':
        if (signal.data.isBot) this.#hearEvent(signal.data.payload);
        break;
      case 'typing':
        if (signal.data.userId !== userId) this.#otherTyping.show(signal.data.isTyping);
        break;
    }
    this.#publish();
  }

  #hearEvent(payload: Record<string, unknown>): void {
    const { type, messageId } = payload;
    if (type === 'message_failed' && typeof messageId === 'string') {
      this.#rememberFailed([...this.#state.failedIds.filter(id => id !== messageId), messageId].slice(-MAX_FAILED));
    }
    this.#onEvent(payload);
  }

  /** The signal of a failure is live only, so a reload needs the memory. */
  #rememberFailed(failedIds: readonly string[]): void {
    this.#memory.write({ failedIds: [...failedIds] });
    this.#publish({ failedIds });
  }

  #publish(changes: Partial<TalkState> = {}): void {
    const { messages } = this.#timeline;
    const newest = messages.at(-1);
    const conversationId = this.#conversationId;
    if (this.#isSeen && newest && conversationId) {
      this.#readMark.advance(newest.id, id => this.#api.markRead(conversationId, id));
    }
    const userId = changes.userId ?? this.#state.userId;
    this.#state = {
      ...this.#state,
      ...changes,
      messages,
      waiting: this.#outbox.waiting,
      hasEarlier: this.#timeline.hasEarlier,
      isOtherTyping: this.#otherTyping.isTyping,
      unread: messages.filter(message => message.id > this.#readMark.messageId && message.userId !== userId).length,
    };
    for (const watcher of this.#watchers) watcher();
  }
}
