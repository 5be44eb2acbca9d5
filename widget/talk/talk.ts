/** The chat of a visitor, which enters a conversation and may replace it with another. Each has a {@link Session}. */

import type { UserFields } from '../userDetails.ts';
import { ChatApi, ChatFault } from './chatApi.ts';
import type { Message, Said } from './chatContract.ts';
import { Session, type SessionState } from './chatSession.ts';
import { Details } from './details.ts';
import { listEarlier, readEarlier } from './earlier.ts';
import { type Entered, enter } from './entrance.ts';
import type { Memory } from './memory.ts';
import type { Outgoing } from './messageOutbox.ts';
import type { Pauses } from './transport.ts';
import { type VisitedPages, Visits } from './visits.ts';

export interface TalkState extends SessionState {
  /** `resting`: no call was made yet. `over`: the conversation was deleted, or the user was removed. */
  phase: 'resting' | 'starting' | 'ready' | 'failed' | 'over';
  /** The error that prevents entering the conversation. */
  failure?: ChatFault | undefined;
}

export interface TalkOptions {
  chatUrl: string;
  memory: Memory;
  /** The key of an identified user; undefined for a guest. */
  userKey?: string | undefined;
  /** The initial text of the composer. */
  draft?: string;
  /** Details of the user that the page sets. */
  fields?: UserFields | undefined;
  /** Called for the bot's custom events. */
  onEvent?: (payload: Record<string, unknown>) => void;
  /** Called for each new message, with its author. */
  onMessage?: (message: Authored) => void;
  /** Called when the messages of a conversation were loaded for the first time. */
  onReady?: (entered: Pick<Entered, 'userId' | 'conversationId'>) => void;
  /** The pages to report. */
  pages?: VisitedPages | undefined;
  pauses?: Pauses;
  /** Makes no calls, and sends nothing. */
  isPreview?: boolean | undefined;
}

export interface Authored {
  message: Message;
  author: 'user' | 'bot' | 'person';
  authorName: string | undefined;
}

interface Entering {
  leaves?: string | undefined;
  isNew?: boolean;
  rejectedKey?: string | undefined;
}

export class Talk {
  /** The text of the composer. It belongs to the visitor, and outlasts conversations and the closed panel. */
  draft: string;
  #api: ChatApi;
  #memory: Memory;
  #isGuest: boolean;
  #pauses: Pauses | undefined;
  #options: TalkOptions;
  #details: Details;
  #visits: Visits;
  #watchers = new Set<() => void>();
  #session: Session;
  #isSeen = false;
  #isStopped = false;
  /** Counts attempts to enter a conversation, so that superseded attempts have no effect. */
  #round = 0;
  /** The attempt that {@link start} repeats after a failure. */
  #entering: Entering = {};
  #state: TalkState;

  constructor(options: TalkOptions) {
    const { chatUrl, memory, userKey, draft = '', fields, pages, pauses } = options;
    this.#options = options;
    this.#api = new ChatApi(chatUrl, userKey);
    this.#memory = memory;
    this.#isGuest = userKey === undefined;
    this.draft = draft;
    this.#pauses = pauses;
    this.#details = new Details(fields);
    this.#visits = new Visits(this.#api, pages);
    this.#session = this.#newSession();
    this.#state = { phase: 'resting', ...this.#session.state };
  }

  get state(): TalkState {
    return this.#state;
  }

  get fields(): UserFields | undefined {
    return this.#details.fields;
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

  /** Resumes or starts the conversation. Has an effect only on the first call and after a failure. */
  start(): void {
    if (this.#state.phase === 'resting' || this.#state.phase === 'failed') this.#enter(this.#entering);
  }

  /**
   * Starts a new conversation, unless another tab or device has already done so: then enters that one. The bot keeps
   * the previous conversation. Messages that it did not receive are carried over.
   */
  startAnew(): void {
    const { conversationId } = this.#state;
    this.#replaceSession();
    this.#enter({ leaves: conversationId, isNew: true });
  }

  /** Stops permanently. Unsent messages remain in storage. */
  stop(): void {
    this.#round++;
    this.#isStopped = true;
    this.#visits.stop();
    void this.#session.leave().then(discard);
    for (const watcher of this.#watchers) watcher();
  }

  /** Stops listening until {@link resume}, which loads missed messages. */
  pause(): void {
    this.#session.pause();
  }

  resume(): void {
    if (this.#state.phase === 'ready') this.#session.resume();
    this.#storeDetails();
    this.sync();
  }

  /** Retries immediately, because the network may be back. */
  wake(): void {
    this.#session.wake();
    this.#storeDetails();
  }

  /** Returns false if the message was rejected. */
  say(payload: Said): boolean {
    return this.#options.isPreview !== true && this.#session.say(payload);
  }

  /**
   * Enters the conversation if necessary, and sends a message. Resolves when it is stored.
   * @throws ChatFault when it could not be sent
   */
  async send(payload: Said): Promise<void> {
    if (this.#isStopped) throw stopped();
    if (this.#state.phase === 'over') this.startAnew();
    else this.start();
    await this.#whenReady();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const isAccepted = this.#session.say(payload, fault => (fault ? reject(fault) : resolve()));
    if (!isAccepted) throw new ChatFault(0, 'TooManyMessages', 'Too many messages wait to be sent. Try again later.');
    return promise;
  }

  /** Stores details of the user, immediately or when the conversation is entered. */
  setUser(fields: UserFields): void {
    this.#details.set(fields);
    this.#storeDetails();
  }

  /** @throws ChatFault */
  rate(value: number, comment: string): Promise<void> {
    return this.#session.rate(value, comment);
  }

  dismissRating(): void {
    this.#session.dismissRating();
  }

  /** @throws ChatFault */
  listEarlier = async () => (this.#options.isPreview ? [] : listEarlier(this.#api, this.#state.conversationId));

  /** @throws ChatFault */
  readEarlier = (conversationId: string, before?: string) => readEarlier(this.#api, conversationId, before);

  retry(key: string): void {
    this.#session.retry(key);
  }

  /** Sends a message that the bot could not process as a new one. */
  sayAgain(messageId: string): void {
    this.#session.sayAgain(messageId);
  }

  /** @throws ChatFault when the upload fails, or the visitor has become another user */
  async sendFile(file: File): Promise<void> {
    await this.#whenReady();
    const { url, contentType } = await this.#api.upload(file);
    if (this.#isStopped) throw stopped();
    const kind = contentType.split('/')[0];
    if (kind === 'image') this.say({ type: 'image', imageUrl: url });
    else if (kind === 'audio') this.say({ type: 'audio', audioUrl: url });
    else if (kind === 'video') this.say({ type: 'video', videoUrl: url });
    else this.say({ type: 'file', fileUrl: url, title: file.name });
  }

  /** Sends an event of the page, which the bot receives as `<alias>:custom`. @throws ChatFault */
  sendEvent(payload: object): Promise<void> {
    return this.#session.sendEvent(payload);
  }

  /** Signals the start or end of typing. */
  type(isTyping: boolean): void {
    this.#session.type(isTyping);
  }

  /** @param isSeen true while the messages are visible */
  see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    this.#session.see(isSeen);
  }

  /**
   * Applies the changes of another tab, which has read messages, started a new conversation or switched to another
   * guest.
   */
  sync(): void {
    const { phase, userId, conversationId } = this.#state;
    if (this.#isStopped || (phase !== 'ready' && phase !== 'over')) return;
    const stored = this.#memory.read();
    const isSameUser = stored.userId === userId;
    const isOtherGuest = this.#isGuest && !isSameUser && stored.userKey !== undefined;
    const isElsewhere = isSameUser && stored.conversationId !== undefined && stored.conversationId !== conversationId;
    if (isOtherGuest || isElsewhere) {
      this.#replaceSession(isSameUser);
      this.#enter({});
    } else this.#session.syncRead();
  }

  /** @throws ChatFault */
  showEarlier(): Promise<void> {
    return this.#session.showEarlier();
  }

  /** @throws ChatFault when the conversation cannot be entered */
  #whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const { phase, failure } = this.#state;
        if (!this.#isStopped && phase !== 'ready' && phase !== 'failed' && phase !== 'over') return;
        unwatch();
        if (!this.#isStopped && phase === 'ready') resolve();
        else reject(failure ?? stopped());
      };
      const unwatch = this.watch(look);
      look();
    });
  }

  #enter(entering: Entering): void {
    if (this.#options.isPreview) return;
    const round = ++this.#round;
    this.#entering = entering;
    this.#publish({ phase: 'starting', failure: undefined });
    enter({
      ...{ api: this.#api, memory: this.#memory, isGuest: this.#isGuest, details: this.#details },
      ...entering,
    }).then(
      entered => {
        // A later attempt replaced this one.
        if (round !== this.#round) return;
        this.#entering = {};
        this.#state = { ...this.#state, phase: 'ready' };
        this.#session.open(entered);
        this.#visits.enter(entered.conversationId);
        this.#storeDetails();
        this.sync();
      },
      failure => {
        if (round === this.#round) this.#publish({ phase: 'failed', failure });
      },
    );
  }

  /** Fails silently: a failure that may pass is retried when the page or the network returns. */
  #storeDetails(): void {
    const { phase, userId } = this.#state;
    if (phase === 'ready' && userId && !this.#isStopped) this.#details.store(this.#api, userId).catch(() => {});
  }

  #newSession(): Session {
    const session: Session = new Session({
      api: this.#api,
      memory: this.#memory,
      isSeen: this.#isSeen,
      pauses: this.#pauses,
      onChange: () => this.#publish(),
      onEvent: payload => this.#options.onEvent?.(payload),
      onMessage: message => this.#options.onMessage?.({ message, ...authorOf(message, session.state) }),
      onLoaded: () => {
        const { userId, conversationId } = session.state;
        this.#options.onReady?.({ userId: userId!, conversationId: conversationId! });
      },
      onRefused: (fault, hasListened) => this.#turnAway(fault, hasListened),
    });
    return session;
  }

  /** Leaves the conversation. Keeps only the messages that it did not receive. */
  #replaceSession(isSameUser = true): void {
    const former = this.#session;
    this.#session = this.#newSession();
    void former.leave().then(unsent => {
      if (isSameUser && !this.#isStopped) this.#session.restore(unsent);
      else discard(unsent);
    });
  }

  /** Silently replaces a stored conversation that was deleted. Reports a conversation that ends while it is open. */
  #turnAway(fault: ChatFault, hasListened: boolean): void {
    if (fault.status === 401 && !this.#isGuest) {
      this.#publish({ phase: 'failed', failure: fault });
    } else if (hasListened) {
      this.#state = { ...this.#state, phase: 'over' };
      this.#session.end();
    } else {
      const { conversationId } = this.#state;
      const isRejected = fault.status === 401;
      this.#replaceSession(!isRejected);
      this.#enter(isRejected ? { rejectedKey: this.#api.userKey } : { leaves: conversationId });
    }
  }

  #publish(changes: Partial<Pick<TalkState, 'phase' | 'failure'>> = {}): void {
    const { phase, failure } = this.#state;
    this.#state = { phase, failure, ...changes, ...this.#session.state };
    for (const watcher of this.#watchers) watcher();
  }
}

function authorOf(
  { userId }: Message,
  { userId: ownId, people, participantIds }: SessionState,
): Pick<Authored, 'author' | 'authorName'> {
  const author = userId === ownId ? 'user' : participantIds.has(userId) ? 'person' : 'bot';
  return { author, authorName: author === 'person' ? people.get(userId)?.name : undefined };
}

/** Rejects the promises of messages that are not sent any more. */
const discard = (unsent: readonly Outgoing[]) => {
  for (const { onEnd } of unsent) onEnd?.(stopped());
};

const stopped = () => new ChatFault(0, 'NoConversation', 'The conversation has ended.');
