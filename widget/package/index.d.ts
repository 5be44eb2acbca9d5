/** Types of the Parley chat widget. The widget itself is compiled against them. */

export type ChatTheme = 'auto' | 'light' | 'dark';

/**
 * Keys of the widget's texts. `talkingTo` contains `{name}`; `unreadMany`, `more` and `rating` contain
 * `{count}`; `backToday`, `backTomorrow` and `backOn` contain `{time}`, and `backOn` also `{day}`.
 */
export type ChatTextKey =
  | 'title'
  | 'open'
  | 'close'
  | 'dismiss'
  | 'unreadOne'
  | 'unreadMany'
  | 'messages'
  | 'messageField'
  | 'placeholder'
  | 'send'
  | 'attach'
  | 'uploading'
  | 'tooLarge'
  | 'ownMessage'
  | 'otherMessage'
  | 'typing'
  | 'waitingForPerson'
  | 'talkingToPerson'
  | 'talkingTo'
  | 'sending'
  | 'sent'
  | 'read'
  | 'notSent'
  | 'notProcessed'
  | 'sendAgain'
  | 'showEarlier'
  | 'connecting'
  | 'connectionLost'
  | 'unreachable'
  | 'signedInOnly'
  | 'notAllowedHere'
  | 'retry'
  | 'conversationEnded'
  | 'startNewConversation'
  | 'choose'
  | 'showOnMap'
  | 'image'
  | 'audio'
  | 'video'
  | 'file'
  | 'cards'
  | 'unsupportedMessage'
  | 'more'
  | 'newWindow'
  | 'backToday'
  | 'backTomorrow'
  | 'backOn'
  | 'replyMinutes'
  | 'replyHours'
  | 'replyDay'
  | 'questions'
  | 'formTitle'
  | 'fieldName'
  | 'fieldEmail'
  | 'fieldPhone'
  | 'fieldCompany'
  | 'optional'
  | 'startChat'
  | 'agree'
  | 'rate'
  | 'rating'
  | 'ratingComment'
  | 'rated'
  | 'changeRating'
  | 'ratingEnded'
  | 'history'
  | 'noHistory'
  | 'back';

/** Content of the widget. The console stores it for all pages that embed the chat. */
export interface ChatSettings {
  title?: string | undefined;
  /** Text beside the button, and before the messages of a new conversation. It is not sent. */
  greeting?: string | undefined;
  /** Questions that a new conversation offers as buttons. A pressed one is sent as message of the visitor. */
  questions?: readonly string[] | undefined;
  /** Picture of the bot: https, or a data URL of an image. */
  avatar?: string | undefined;
  /** Picture in the header. By default, the avatar. */
  logo?: string | undefined;
  /** Colors such as `#1864ab`. The color of text on them is computed. */
  accent?: { light?: string | undefined; dark?: string | undefined } | undefined;
  launcher?:
    | { text?: string | undefined; icon?: string | undefined; position?: 'end' | 'start' | undefined }
    | undefined;
  /** Fields that a guest completes before the first message. They become details of the user. */
  fields?: readonly ChatField[] | undefined;
  /** Usual time of a reply. */
  replyTime?: 'minutes' | 'hours' | 'day' | undefined;
  /** Opening hours. Day 1 is Monday; times are `HH:MM`. */
  hours?: { timeZone: string; periods: readonly { day: number; from: string; to: string }[] } | undefined;
  /** Asks for a rating when a handoff has ended. */
  rating?: boolean | undefined;
  /** Offers earlier conversations. */
  history?: boolean | undefined;
  /** A notice above the composer of a new conversation. */
  consent?:
    | { text: string; linkText?: string | undefined; url?: string | undefined; required?: boolean | undefined }
    | undefined;
}

/** `name` sets the name of the user, others the attribute of their kind, and `text` the attribute `attribute`. */
export interface ChatField {
  kind: 'name' | 'email' | 'phone' | 'company' | 'text';
  /** By default, a text in the language of the visitor. */
  label?: string | undefined;
  attribute?: string | undefined;
  required?: boolean | undefined;
}

/** Options of a chat. The script tag has the same ones as attributes, such as `data-chat-url`. */
export interface ChatOptions {
  /** URL of an installed chat, as in `https://chat.example.com/0a1b2c3d`. */
  chatUrl: string;
  /** Key of a user whom the page has authenticated. By default, the visitor is a guest. */
  userKey?: string | undefined;
  /** Name of the user. It is not verified. */
  userName?: string | undefined;
  /** Title above the messages. */
  title?: string | undefined;
  /** Text in a bubble beside the button, and the first message of an empty conversation. It is not sent. */
  greeting?: string | undefined;
  /** Text on the button. */
  launcherText?: string | undefined;
  /** URL of the button's image: https, or a data URL of an image. */
  launcherIcon?: string | undefined;
  /** URL of the bot's picture: https, or a data URL of an image. */
  avatar?: string | undefined;
  /** Texts that replace the widget's own. In the attribute `data-texts` as JSON. */
  texts?: { readonly [Key in ChatTextKey]?: string } | string | undefined;
  /** A language tag such as `pt-BR`. By default, the language of the page or the browser. */
  lang?: string | undefined;
  /** `auto`, the default, follows the color scheme of the page. */
  theme?: ChatTheme | undefined;
  /** Corner of the button: `end`, the default, is right, or left in right-to-left languages. */
  position?: 'end' | 'start' | undefined;
  /** Lifetime of the session: the browser's data, the tab, or the page. `local` by default. */
  storage?: 'local' | 'session' | 'none' | undefined;
  /** Lets visitors attach files. */
  uploads?: boolean | string | undefined;
  /** Opens the chat immediately. */
  open?: boolean | string | undefined;
  /** `off` does not show the visitor's pages, language and time zone to the people who handle the conversation. */
  visits?: boolean | string | undefined;
  /** Further origins whose media is shown, or `*`; separated by spaces or commas. */
  mediaOrigins?: string | undefined;
  /** Settings that replace the stored ones, in the attribute `data-settings` as JSON; or `off`. */
  settings?: ChatSettings | string | undefined;
  /** Shows the widget without calls, for example beside a form with its settings. */
  preview?: boolean | string | undefined;
}

/** Details of the user. Omitted fields keep their values. They are not verified. */
export interface ChatUser {
  /** At most 1,000 characters. */
  name?: string | undefined;
  /** An https or data URL of at most 20,000 characters. */
  pictureUrl?: string | undefined;
  /** Up to 50 values of at most 500 characters, merged by name. Null removes one. */
  attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
}

/** A message of the conversation. */
export interface ChatMessage {
  id: string;
  /** Kind of the payload, such as `text`, `image` or `choice`. */
  type: string;
  /** Text of the payload, if it has one. */
  text: string | undefined;
  payload: Record<string, unknown>;
  createdAt: string;
  /** `user` is the visitor, `person` a member of the team. */
  author: 'user' | 'bot' | 'person';
  authorId: string;
  /** Name of the person. */
  authorName: string | undefined;
}

export interface ChatEvents {
  /** The conversation was entered and its messages were loaded. Also delivered to listeners that are added later. */
  ready: { userId: string; conversationId: string };
  open: undefined;
  close: undefined;
  /** The number of unread messages. */
  unread: number;
  /** A new message. Messages of earlier visits are not delivered. */
  message: ChatMessage;
  /** An event of the bot, from `sendEvent` or `customEvent`. */
  event: Record<string, unknown>;
}

/** A chat on the page. */
export interface Chat {
  readonly isOpen: boolean;
  readonly unread: number;
  open(): void;
  close(): void;
  toggle(): void;
  /**
   * Sends a text as the user, also while the chat is closed. Resolves when the message is stored.
   * Rejects for an invalid text, and when the message could not be sent.
   */
  send(text: string): Promise<void>;
  /** Sends the bot an event, which it receives as `<alias>:custom`. */
  sendEvent(payload: object): Promise<void>;
  /** Continues as the user of a key, or without a key as a new guest. */
  identify(userKey?: string): void;
  /** Sets details of the user, now or when the user opens the chat. Throws an Error for invalid values. */
  setUser(user: ChatUser): void;
  /** Replaces the settings on this page. Options of the page still override them. */
  setSettings(settings: ChatSettings): void;
  setTheme(theme: ChatTheme): void;
  /** @param lang a tag such as `pt-BR` */
  setLanguage(lang: string): void;
  /** Starts a new conversation. */
  startAnew(): void;
  /** Subscribes to an event. Returns a function that unsubscribes. */
  on<Name extends keyof ChatEvents>(name: Name, listener: (detail: ChatEvents[Name]) => void): () => void;
  /** Removes the chat from the page. The conversation remains. */
  remove(): void;
}

/** `window.ParleyChat`. */
export interface ParleyChat {
  /** The most recent chat. */
  chat?: Chat;
  /** Shows a chat, which replaces an existing one. Throws an Error for invalid options. */
  show(options: ChatOptions): Chat;
}

export interface LoadOptions extends ChatOptions {
  /** URL of the script `widget.js` of the installation. */
  scriptUrl: string;
  /** Nonce of the page's content security policy. */
  nonce?: string | undefined;
}

/**
 * Loads the widget's script once per page and shows a chat.
 * Rejects outside of browsers, if the script cannot be loaded, and for invalid options.
 */
export function loadChat(options: LoadOptions): Promise<Chat>;

declare global {
  interface Window {
    ParleyChat?: ParleyChat;
  }
  interface WindowEventMap {
    /** Dispatched when `window.ParleyChat` exists. */
    parleychat: CustomEvent<ParleyChat>;
  }
}
