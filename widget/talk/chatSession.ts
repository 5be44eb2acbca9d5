/** One conversation with all of its state. The next conversation has a new session. */
import { Announcer } from './announcer.ts';
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { LiveSignal, Message, Said } from './chatContract.ts';
import { ALONE, Company, type CompanyState } from './company.ts';
import type { Entered } from './entrance.ts';
import { FailedMessages } from './failedMessages.ts';
import { HandoffRating } from './handoffRating.ts';
import type { Connection } from './listener.ts';
import { newLiveUpdates } from './liveUpdates.ts';
import type { Memory } from './memory.ts';
import { Outbox, type Outgoing } from './messageOutbox.ts';
import { Timeline } from './messageTimeline.ts';
import { ReadMark } from './readMark.ts';
import type { SharedListener } from './sharedListener.ts';
import { Streams, type StreamsState } from './streams.ts';
import { PAUSES, type Pauses } from './transport.ts';
import { OtherTyping, OwnTyping } from './typing.ts';
import { carriedOver, restoreUnsent, storeUnsent } from './unsent.ts';

export interface SessionState extends CompanyState, StreamsState {
  connection: Connection;
  /** Undefined before {@link Session.open}. */
  userId?: string | undefined;
  conversationId?: string | undefined;
  messages: readonly Message[];
  waiting: readonly Outgoing[];
  /** Messages of the visitor that the bot could not process. */
  failedIds: readonly string[];
  hasEarlier: boolean;
  isOtherTyping: boolean;
  unread: number;
  /** True if the conversation had no messages when the page loaded it. */
  startedEmpty: boolean;
  /** The handoff that has ended and may be rated, with its rating. */
  rating?: { value: number | undefined } | undefined;
}

interface SessionOptions {
  api: ChatApi;
  memory: Memory;
  isSeen: boolean;
  onChange(): void;
  /** Called for each new message, after the first load. */
  onMessage(message: Message): void;
  /** Called when the messages were loaded for the first time. */
  onLoaded(): void;
  /** Called for the bot's custom events. */
  onEvent(payload: Record<string, unknown>): void;
  /** Called when the server permanently rejects the user. `hasListened` is false at the first attempt. */
  onRefused(fault: ChatFault, hasListened: boolean): void;
  pauses?: Pauses | undefined;
}

export class Session {
  #options: SessionOptions;
  #conversationId: string | undefined;
  #userId: string | undefined;
  #timeline = new Timeline();
  #outbox: Outbox;
  #listener: SharedListener | undefined;
  #company: Company | undefined;
  #companyState = ALONE;
  #connection: Connection = 'connecting';
  #readMark: ReadMark | undefined;
  #failed: FailedMessages | undefined;
  #rating: HandoffRating | undefined;
  #ownTyping = new OwnTyping();
  #otherTyping = new OtherTyping(() => this.#change());
  #streams = new Streams(() => this.#change());
  #isSeen: boolean;
  #hasListened = false;
  #announcer: Announcer;
  #isNew = false;
  #startedEmpty = false;
  #isLeft = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#isSeen = options.isSeen;
    this.#announcer = new Announcer(message => {
      if (!this.#isLeft) options.onMessage(message);
    });
    this.#outbox = new Outbox({
      send: async (payload, key) => (await options.api.createMessage(this.#conversationId!, payload, key)).message,
      onSent: message => {
        this.#timeline.put([message]);
        this.#listener?.expect(message.id);
        this.#change();
      },
      onChange: () => {
        if (this.#isLeft) return;
        if (this.#conversationId) storeUnsent(options.memory, this.#outbox, this.#conversationId);
        this.#change();
      },
      ...(options.pauses ? { firstPauseMs: options.pauses.firstMs } : {}),
    });
  }

  get state(): SessionState {
    const { messages, hasEarlier } = this.#timeline;
    const readId = this.#readMark?.messageId ?? '';
    return {
      ...this.#companyState,
      ...this.#streams.state,
      connection: this.#connection,
      userId: this.#userId,
      conversationId: this.#conversationId,
      messages,
      waiting: this.#outbox.waiting,
      failedIds: this.#failed?.ids ?? [],
      hasEarlier,
      isOtherTyping: this.#otherTyping.isTyping,
      startedEmpty: this.#startedEmpty,
      rating: this.#rating?.state,
      unread: messages.filter(({ id, userId }) => id > readId && userId !== this.#userId).length,
    };
  }

  /** Starts listening and sending. */
  open({ userId, conversationId, isNew }: Entered): void {
    const { api, memory } = this.#options;
    this.#userId = userId;
    this.#conversationId = conversationId;
    this.#isNew = isNew;
    this.#failed = new FailedMessages(memory, conversationId);
    this.#rating = new HandoffRating(memory, conversationId);
    this.#readMark = new ReadMark({ memory, conversationId, send: id => api.markRead(conversationId, id) });
    this.#company = new Company({
      api,
      conversationId,
      userId,
      onHandoff: handoff => {
        if (!this.#isLeft) this.#rating?.follow(handoff);
      },
      onChange: state => {
        this.#companyState = state;
        this.#change();
      },
    });
    this.#listener = this.#newListener(userId, conversationId);
    this.#listener.start();
    restoreUnsent(memory, this.#outbox, conversationId);
    this.#outbox.open();
    this.#change();
  }

  /** Stops the session. When no call is in progress, resolves to the unsent messages for the next conversation. */
  async leave(): Promise<Outgoing[]> {
    this.#isLeft = true;
    this.#listener?.stop();
    this.#otherTyping.stop();
    this.#streams.stop();
    this.#readMark?.flush();
    this.type(false);
    const { outgoing, hasTried } = await this.#outbox.leave();
    return carriedOver(outgoing, hasTried);
  }

  /** Shows the conversation as ended: it was deleted, or the visitor was removed. */
  end(): void {
    this.#otherTyping.stop();
    this.#streams.stop();
    this.#ownTyping.reset();
    this.#companyState = { ...this.#companyState, handoff: undefined };
    this.#change();
  }

  pause(): void {
    this.#listener?.stop();
  }

  resume(): void {
    this.#listener?.start();
  }

  wake(): void {
    this.#listener?.wake();
    this.#outbox.wake();
  }

  say(payload: Said, onEnd?: Outgoing['onEnd']): boolean {
    this.#ownTyping.reset();
    return this.#outbox.add(payload, onEnd);
  }

  /** Adds messages of a former conversation or visit. */
  restore(outgoing: readonly Outgoing[]): void {
    this.#outbox.restore(outgoing, false);
  }

  retry(key: string): void {
    this.#outbox.retry(key);
  }

  sayAgain(messageId: string): void {
    const message = this.#timeline.messages.find(({ id }) => id === messageId);
    if (!message || !this.say(message.payload as Said)) return;
    this.#failed?.remove(messageId);
    this.#change();
  }

  /** @throws ChatFault */
  async rate(value: number, comment: string): Promise<void> {
    await this.#rating?.rate(this.#options.api, value, comment).finally(() => this.#change());
  }

  dismissRating(): void {
    this.#rating?.dismiss();
    this.#change();
  }

  /** @throws ChatFault */
  async sendEvent(payload: object): Promise<void> {
    if (!this.#conversationId)
      throw new ChatFault(0, 'NoConversation', 'There is no conversation yet. Open the chat first.');
    await this.#options.api.createEvent(this.#conversationId, payload);
  }

  type(isTyping: boolean): void {
    const conversationId = this.#conversationId;
    // A bot sees no typing. Its end is sent to those who saw the start.
    if (isTyping && !this.#isAccompanied()) return;
    if (conversationId) this.#ownTyping.update(isTyping, value => this.#options.api.showTyping(conversationId, value));
  }

  /** Returns true if somebody else may see the visitor: a member, or another participant. */
  #isAccompanied(): boolean {
    const { handoff, participantIds } = this.#companyState;
    return handoff !== undefined || [...participantIds].some(id => id !== this.#userId);
  }

  see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#change();
  }

  /** Adopts the read mark of another tab. */
  syncRead(): void {
    if (this.#readMark?.sync()) this.#change();
  }

  /** @throws ChatFault */
  async showEarlier(): Promise<void> {
    const conversationId = this.#conversationId;
    const { api } = this.#options;
    if (conversationId) {
      await this.#timeline.readEarlier(api, conversationId, messages => this.#announcer.know(messages));
    }
    this.#change();
  }

  #newListener(userId: string, conversationId: string): SharedListener {
    const { api, memory, pauses = PAUSES } = this.#options;
    return newLiveUpdates({
      ...{ api, memory, userId, conversationId, pauses },
      onOpen: async isResumed => {
        // Resumed connections have no gaps.
        if (!isResumed) await this.#timeline.catchUp(api, conversationId);
        if (!this.#hasListened) this.#load();
        void this.#company?.read();
        this.#change();
      },
      onSignal: signal => this.#hear(signal),
      onConnection: connection => {
        this.#connection = connection;
        this.#change();
      },
      onRefused: fault => {
        if (!this.#isLeft) this.#options.onRefused(fault, this.#hasListened);
      },
    });
  }

  /** Runs after the first load. */
  #load(): void {
    const { messages, hasEarlier } = this.#timeline;
    this.#hasListened = true;
    this.#startedEmpty = this.#isNew || messages.length === 0;
    this.#announcer.start(this.#isNew ? [] : messages, hasEarlier);
    if (!this.#isLeft) this.#options.onLoaded();
  }

  #hear(signal: LiveSignal): void {
    this.#company?.hear(signal);
    switch (signal.type) {
      case 'message_created':
      case 'message_updated': {
        const { isBot: _, ...message } = signal.data;
        const isOwn = message.userId === this.#userId;
        if (isOwn && !this.#timeline.has(message.id)) this.#outbox.take(message);
        if (isOwn) this.#timeline.receive(message);
        else this.#receive(message);
        break;
      }
      case 'message_stream_delta':
        this.#streams.add(signal.data);
        this.#otherTyping.show(false);
        break;
      case 'message_stream_complete':
        this.#receive(signal.data.message, signal.data.streamId);
        break;
      case 'message_stream_abort':
        this.#streams.remove(signal.data.streamId);
        break;
      case 'message_deleted':
        this.#timeline.remove(signal.data.id);
        break;
      case 'event_created':
        if (signal.data.isBot) this.#hearEvent(signal.data.payload);
        break;
      case 'typing':
        if (signal.data.userId !== this.#userId) this.#otherTyping.show(signal.data.isTyping);
        break;
    }
    this.#change();
  }

  #receive(message: Message, streamId?: string): void {
    this.#streams.complete(message, streamId);
    this.#timeline.receive(message);
    this.#otherTyping.show(false);
  }

  #hearEvent(payload: Record<string, unknown>): void {
    const { type, messageId } = payload;
    if (type === 'message_failed' && typeof messageId === 'string') this.#failed?.add(messageId);
    this.#options.onEvent(payload);
  }

  /** A closed session has no effect, although its calls may still return. */
  #change(): void {
    if (this.#isLeft) return;
    const newest = this.#timeline.messages.at(-1);
    if (this.#isSeen && newest) this.#readMark?.advance(newest.id);
    this.#options.onChange();
    this.#announcer.announce(this.#timeline.messages, this.#company?.known ?? Promise.resolve());
  }
}
