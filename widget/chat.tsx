/** The chat element. Its shadow root isolates the styles of page and widget. */
import { render } from 'preact';
import { GreetingMemory } from './greeting.ts';
import { hideInputMethodKeys } from './inputMethod.ts';
import { type Language, languageOf } from './languages.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { type Given, type Options, oneOf, readOptions, THEMES } from './options.ts';
import type {
  ChatEvents,
  ChatField,
  ChatMessage,
  ChatSettings,
  ChatTheme,
  ChatUser,
  Chat as PublicChat,
} from './package/index.d.ts';
import { followPages, readVisit } from './page.ts';
import { Widget } from './parts/Widget.tsx';
import { FIRST_WAIT_MS, SettingsStore, settingsOf } from './settings.ts';
import style from './style.css';
import type { ChatFault } from './talk/chatApi.ts';
import { isSameUser } from './talk/isSameUser.ts';
import { Memory, type Shelf, type Storage } from './talk/memory.ts';
import { type Authored, Talk } from './talk/talk.ts';
import { readUser, type UserFields } from './userDetails.ts';
import { fieldsToAsk, userFieldsOf } from './visitorFields.ts';
import { warn } from './warn.ts';

/** A hidden page stops listening after this time. */
const UNSEEN_MS = 5 * 60_000;

function shelfOf(storage: Storage): Shelf | undefined {
  try {
    if (storage === 'none') return undefined;
    return storage === 'session' ? sessionStorage : localStorage;
  } catch {
    // The visitor's browser settings block storage.
    return undefined;
  }
}

export class Chat implements PublicChat {
  #given: Given;
  #options: Options;
  /** True until the settings are known, or the wait for them ends. Nothing is drawn. */
  #isWaiting = false;
  #hasGivenFields = false;
  #memory: Memory;
  #userKey: string | undefined;
  #talk: Talk;
  #theme: ChatTheme;
  #language: Language;
  #isOpen = false;
  /** True after the chat was opened: the visitor has seen the greeting in the panel. */
  #wasOpen = false;
  #greetings: GreetingMemory;
  #ready: ChatEvents['ready'] | undefined;
  #unread = 0;
  #element = document.createElement('parley-chat');
  #root = this.#element.attachShadow({ mode: 'open' });
  #events = new EventTarget();
  #over = new AbortController();
  #isExplained = false;
  #unseen: ReturnType<typeof setTimeout> | undefined;
  #unwatch = () => {};

  /** @param given read options of the page, which override settings */
  constructor(given: Given) {
    const options = readOptions(given);
    this.#given = given;
    this.#options = options;
    this.#theme = options.theme;
    this.#language = languageOf([options.lang, document.documentElement.lang, ...navigator.languages]);
    const shelf = shelfOf(options.preview ? 'none' : options.storage);
    this.#greetings = new GreetingMemory(options.chatUrl, shelf);
    this.#memory = new Memory(options.chatUrl, shelf);
    this.#userKey = options.userKey;
    this.#talk = this.#newTalk({ fields: options.userName ? { name: options.userName } : undefined });
    this.#goOn();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    hideInputMethodKeys(this.#root);
    document.body.append(this.#element);
    this.#followPage();
    if (options.hasStoredSettings && !options.preview) this.#loadSettings(new SettingsStore(options.chatUrl, shelf));
    if (options.open) this.open();
    else this.#draw();
  }

  open(): void {
    this.#setOpen(true);
  }

  close(): void {
    this.#setOpen(false);
  }

  toggle(): void {
    this.#setOpen(!this.#isOpen);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get unread(): number {
    return this.#unread;
  }

  /**
   * Continues as the user of a key, or without a key as a new guest. The text in the composer remains for a guest who
   * signs in and for a renewed key. Another user does not see it.
   */
  identify(userKey?: string): void {
    const former = this.#userKey;
    const isSamePerson = userKey && (former === undefined || isSameUser(former, userKey));
    const { draft, fields } = this.#talk;
    this.#talk.stop();
    this.#unwatch();
    if (!userKey) this.#memory.forget();
    this.#userKey = userKey || undefined;
    this.#ready = undefined;
    this.#talk = this.#newTalk(isSamePerson ? { draft, fields } : {});
    this.#countUnread();
    this.#goOn();
    this.#see();
    this.#hasGivenFields = false;
    this.#start();
    this.#draw();
  }

  /** @throws Error for settings that are no object, or have an invalid option */
  setSettings(settings: ChatSettings): void {
    this.#options = readOptions(this.#given, settingsOf(settings));
    this.#hasGivenFields = false;
    this.#start();
    this.#draw();
  }

  /** @throws Error for an unknown theme */
  setTheme(theme: ChatTheme): void {
    this.#theme = oneOf(THEMES, 'theme', theme);
    this.#draw();
  }

  /** @param lang a tag such as `pt-BR` */
  setLanguage(lang: string): void {
    this.#language = languageOf([lang]);
    this.#draw();
  }

  /** @throws Error for invalid values */
  setUser(user: ChatUser): void {
    this.#talk.setUser(readUser(user));
  }

  /** Sends a text of the visitor. Rejects if it could not be sent. */
  async send(text: string): Promise<void> {
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT_LENGTH) {
      throw new Error(`The message must be a text of 1 to ${MAX_TEXT_LENGTH} characters.`);
    }
    await this.#talk.send({ type: 'text', text: text.trim() });
  }

  startAnew(): void {
    this.#talk.startAnew();
  }

  sendEvent(payload: object): Promise<void> {
    return this.#talk.sendEvent(payload);
  }

  on<Name extends keyof ChatEvents>(name: Name, listener: (detail: ChatEvents[Name]) => void): () => void {
    const hear = (event: Event) => listener((event as CustomEvent<ChatEvents[Name]>).detail);
    this.#events.addEventListener(name, hear);
    // A page cannot know whether the conversation was loaded before it subscribed.
    const ready = this.#ready;
    if (name === 'ready' && ready) queueMicrotask(() => hear(new CustomEvent('ready', { detail: ready })));
    return () => this.#events.removeEventListener(name, hear);
  }

  /** Removes the chat from the page. The conversation remains. */
  remove(): void {
    this.#over.abort();
    clearTimeout(this.#unseen);
    this.#unwatch();
    this.#talk.stop();
    render(null, this.#root);
    this.#element.remove();
  }

  #newTalk({ draft = '', fields }: { draft?: string; fields?: UserFields | undefined } = {}): Talk {
    const talk = new Talk({
      chatUrl: this.#options.chatUrl,
      userKey: this.#userKey,
      memory: this.#memory,
      draft,
      fields,
      pages: this.#options.visits ? { read: readVisit, follow: followPages } : undefined,
      isPreview: this.#options.preview,
      onEvent: payload => this.#hear(payload),
      onMessage: authored => this.#emit('message', viewOf(authored)),
      onReady: entered => {
        this.#ready = entered;
        this.#emit('ready', entered);
      },
    });
    this.#unwatch = talk.watch(() => this.#countUnread());
    return talk;
  }

  /** Resumes an earlier conversation. Makes no call for visitors who never opened the chat. */
  #goOn(): void {
    if (this.#talk.isRemembered) this.#talk.start();
  }

  /** Enters the conversation of the open chat, after the form for guests. */
  #start(): void {
    if (this.#isOpen && !this.#isWaiting && this.#fieldsToAsk().length === 0) this.#talk.start();
  }

  #fieldsToAsk(): ChatField[] {
    const isNewGuest = this.#userKey === undefined && !this.#talk.isRemembered && this.#talk.state.phase === 'resting';
    return isNewGuest && !this.#hasGivenFields ? fieldsToAsk(this.#options.content.fields, this.#talk.fields) : [];
  }

  #giveFields(values: string[]): void {
    const user = userFieldsOf(this.#fieldsToAsk(), values);
    this.#hasGivenFields = true;
    if (Object.keys(user).length > 0) this.#talk.setUser(user);
    this.#start();
    this.#draw();
  }

  #consent(isGiven: boolean): void {
    this.#talk.setUser({ attributes: { consentAt: isGiven ? new Date().toISOString() : null } });
    this.#draw();
  }

  /** Applies stored settings at once, and waits a moment for the first ones. The chat works without. */
  #loadSettings(store: SettingsStore): void {
    const stored = store.read(Date.now());
    if (stored) this.#apply(stored.settings);
    if (stored?.isFresh) return;
    this.#isWaiting = stored === undefined;
    const proceed = () => {
      if (!this.#isWaiting || this.#over.signal.aborted) return;
      this.#isWaiting = false;
      this.#start();
      this.#draw();
    };
    const timer = setTimeout(proceed, FIRST_WAIT_MS);
    store
      .load(this.#over.signal)
      .then(
        settings => this.#apply(settings),
        () => {},
      )
      .finally(() => {
        clearTimeout(timer);
        proceed();
      });
  }

  #apply(settings: ChatSettings): void {
    if (this.#over.signal.aborted) return;
    try {
      this.#options = readOptions(this.#given, settings);
      this.#draw();
    } catch (error) {
      warn(`The settings of the console are ignored: ${(error as Error).message}`);
    }
  }

  #setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    if (isOpen) {
      this.#wasOpen = true;
      this.#start();
    }
    this.#see();
    this.#draw();
    this.#emit(isOpen ? 'open' : 'close', undefined);
  }

  #countUnread(): void {
    const { unread, phase, failure } = this.#talk.state;
    if (phase === 'failed' && failure) this.#explain(failure);
    if (unread === this.#unread) return;
    this.#unread = unread;
    this.#emit('unread', unread);
  }

  /** Handles the official webchat's events that open and close the chat. */
  #hear(payload: Record<string, unknown>): void {
    if (payload.type !== 'webchat_visibility') this.#emit('event', payload);
    else if (payload.visibility === 'toggle') this.toggle();
    else this.#setOpen(payload.visibility === 'show');
  }

  #emit<Name extends keyof ChatEvents>(name: Name, detail: ChatEvents[Name]): void {
    this.#events.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Logs the reason for developers once. Browsers do not expose to scripts why a call got no response. */
  #explain({ status, message }: ChatFault): void {
    if (this.#isExplained) return;
    this.#isExplained = true;
    const { chatUrl } = this.#options;
    const reason =
      status === 0
        ? `${chatUrl} does not respond. A Content-Security-Policy of the page must list it in connect-src, and the setting allowedOrigins of the platform, if set, must list ${location.origin}.`
        : message;
    warn(reason);
  }

  #see(): void {
    this.#talk.see(this.#isOpen && document.visibilityState === 'visible');
  }

  #followPage(): void {
    const { signal } = this.#over;
    document.addEventListener(
      'visibilitychange',
      () => {
        clearTimeout(this.#unseen);
        if (document.visibilityState === 'hidden') this.#unseen = setTimeout(() => this.#talk.pause(), UNSEEN_MS);
        else this.#talk.resume();
        this.#see();
      },
      { signal },
    );
    // A page in the back/forward cache cannot hold a stream.
    addEventListener('pagehide', () => this.#talk.pause(), { signal });
    addEventListener('pageshow', () => this.#talk.resume(), { signal });
    // A frozen page must not keep the connection that its tabs share.
    document.addEventListener('freeze', () => this.#talk.pause(), { signal });
    document.addEventListener('resume', () => this.#talk.resume(), { signal });
    addEventListener('online', () => this.#talk.wake(), { signal });
    // Another tab has read messages or entered another conversation.
    addEventListener(
      'storage',
      () => {
        this.#talk.sync();
        // The greeting disappears.
        this.#draw();
      },
      { signal },
    );
  }

  /** A visitor with a conversation needs no invitation. */
  #isGreetingShown(): boolean {
    const { greeting } = this.#options;
    const isNew = !this.#isOpen && !this.#wasOpen && !this.#talk.isRemembered;
    return greeting !== undefined && isNew && !this.#greetings.isDismissed(greeting);
  }

  #dismissGreeting(): void {
    this.#greetings.dismiss(this.#options.greeting ?? '');
    this.#draw();
  }

  #draw(): void {
    if (this.#isWaiting) return;
    render(
      <Widget
        talk={this.#talk}
        options={this.#options}
        language={this.#language}
        theme={this.#theme}
        isOpen={this.#isOpen}
        isGreetingShown={this.#isGreetingShown()}
        fields={this.#fieldsToAsk()}
        hasConsented={Boolean(this.#talk.fields?.attributes?.consentAt)}
        onFields={values => this.#giveFields(values)}
        onConsent={isGiven => this.#consent(isGiven)}
        onDismissGreeting={() => this.#dismissGreeting()}
        onOpen={isOpen => this.#setOpen(isOpen)}
      />,
      this.#root,
    );
  }
}

const viewOf = ({ message, author, authorName }: Authored): ChatMessage => {
  const { id, createdAt, userId } = message;
  const payload = message.payload as Record<string, unknown>;
  const text = payload.text ?? payload.markdown;
  return {
    id,
    type: String(payload.type),
    text: typeof text === 'string' ? text : undefined,
    payload,
    createdAt,
    author,
    authorId: userId,
    authorName,
  };
};
