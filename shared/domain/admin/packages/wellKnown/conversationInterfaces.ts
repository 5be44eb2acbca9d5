import {
  action,
  either,
  entity,
  HIDDEN,
  list,
  map,
  nonEmpty,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  text,
} from './schema.ts';

const CONVERSATION = object({ conversationId: text() });
const USER = object({ userId: text() });

export const typingIndicator = {
  name: 'typing-indicator',
  version: '0.0.4',
  actions: {
    startTypingIndicator: action(
      object({ conversationId: text(), messageId: text(), timeout: optional(number()) }),
      object(),
      HIDDEN,
    ),
    stopTypingIndicator: action(object({ conversationId: text(), messageId: text() }), object(), HIDDEN),
  },
};

export const proactiveConversation = {
  name: 'proactive-conversation',
  version: '0.0.4',
  entities: { conversation: { title: 'Conversation', schema: object() } },
  actions: {
    getOrCreateConversation: action(object({ conversation: entity('conversation') }), CONVERSATION, {
      title: 'Get or create a conversation',
      description: 'Opens a conversation that the bot starts',
    }),
  },
};

export const proactiveUser = {
  name: 'proactive-user',
  version: '0.0.3',
  entities: { user: { title: 'User', schema: object() } },
  actions: {
    getOrCreateUser: action(
      object({
        name: optional(text()),
        pictureUrl: optional(text()),
        email: optional(text()),
        user: entity('user'),
      }),
      USER,
      { title: 'Get or create a user', description: 'Creates a user whom the bot messages first' },
    ),
  },
};

export const messageState = {
  name: 'message-state',
  version: '0.0.1',
  title: 'Message state',
  description: 'Delivery status of a sent message',
  events: {
    messageSent: { schema: object() },
    messageDelivered: { schema: object() },
    messageRead: { schema: object() },
    messageFailed: { schema: object({ reason: text(), metadata: map(text()) }) },
  },
};

const titled = (name: string) => ({ [name]: nonEmpty(), title: optional(nonEmpty()) });
const OPTIONS = { text: nonEmpty(), options: list(object({ label: nonEmpty(), value: nonEmpty() })) };
const CARD = {
  title: nonEmpty(),
  subtitle: optional(nonEmpty()),
  imageUrl: optional(nonEmpty()),
  actions: list(object({ action: oneOf('postback', 'url', 'say'), label: nonEmpty(), value: nonEmpty() })),
};

const PARTS: Record<string, Record<string, Schema>> = {
  text: { text: nonEmpty() },
  image: titled('imageUrl'),
  audio: titled('audioUrl'),
  video: titled('videoUrl'),
  file: titled('fileUrl'),
  location: { latitude: number(), longitude: number(), address: optional(text()), title: optional(text()) },
  markdown: { markdown: nonEmpty() },
};
const BLOC = {
  items: list(
    either(...Object.entries(PARTS).map(([type, part]) => object({ type: oneOf(type), payload: object(part) }))),
  ),
};
const MESSAGES: Record<string, Record<string, Schema>> = {
  ...PARTS,
  carousel: { items: list(object(CARD)) },
  card: CARD,
  dropdown: OPTIONS,
  choice: OPTIONS,
  bloc: BLOC,
};

const SOURCE = either(object({ type: oneOf('user'), userId: text() }), object({ type: oneOf('bot') }));
const HISTORY = list(
  either(
    ...Object.entries(MESSAGES).map(([type, message]) =>
      object({ source: SOURCE, type: oneOf(type), payload: object(message) }),
    ),
  ),
);
/** Stored in a message tag, which limits its length. */
const ADDITIONAL_DATA = { type: 'string', maxLength: 500 };
const inSession = (type: string) => ({
  schema: object({ ...MESSAGES[type], userId: optional(text()), additionalData: optional(ADDITIONAL_DATA) }),
});

/** Returns the actions of the interface, or of an integration whose sessions have this schema. */
export const hitlActions = (session: Schema) => ({
  createUser: action(object({ name: text(), pictureUrl: optional(text()), email: optional(text()) }), USER, {
    ...HIDDEN,
    title: 'Create an external user',
  }),
  startHitl: action(
    object({
      userId: text(),
      title: optional(text()),
      description: optional(text()),
      hitlSession: optional(session),
      messageHistory: HISTORY,
    }),
    CONVERSATION,
    { ...HIDDEN, title: 'Start a session with a human agent' },
  ),
  stopHitl: action(CONVERSATION, object(), { ...HIDDEN, title: 'End a session with a human agent' }),
});

export const hitl = {
  name: 'hitl',
  version: '2.1.0',
  entities: { hitlSession: { title: 'Session', description: 'A session with a human agent', schema: object() } },
  events: {
    hitlAssigned: { ...HIDDEN, schema: object({ conversationId: text(), userId: text() }) },
    hitlStopped: { ...HIDDEN, schema: CONVERSATION },
  },
  actions: hitlActions(entity('hitlSession')),
  channels: {
    hitl: {
      messages: Object.fromEntries(
        ['text', 'image', 'audio', 'video', 'file', 'bloc'].map(type => [type, inSession(type)]),
      ),
    },
  },
};
