/**
 * The two formats of a message's content (docs/api/chat.md#message-payloads). In the chat interface, the payload
 * contains the type. In the bot-level interface, the type is next to the payload, which contains the newer client's
 * metadata, and the items of a `bloc` are `{ type, payload }`.
 */

type Content = Record<string, unknown>;
export interface BotContent {
  type: string;
  payload: Content;
}
export interface ChatContent {
  payload: Content & { type: string };
  metadata?: Content | undefined;
}

export function toBotContent({ payload, metadata }: ChatContent): BotContent {
  const { type, ...rest } = payload;
  const items = type === 'bloc' && Array.isArray(rest.items) ? { items: rest.items.map(toBotItem) } : {};
  return { type, payload: { ...rest, ...items, ...(metadata === undefined ? {} : { metadata }) } };
}
const toBotItem = (item: Content): BotContent => {
  const { type, ...rest } = item;
  // The webchat client uses the bots' format.
  const isNested = typeof rest.payload === 'object' && rest.payload !== null;
  const payload = isNested ? (rest.payload as Content) : rest;
  return { type: String(type), payload };
};

export function toChatContent({ type, payload }: BotContent): ChatContent {
  const { metadata, ...rest } = payload;
  const items =
    Array.isArray(rest.items) && Object.hasOwn(SHOWN_ITEMS, type) ? { items: rest.items.map(SHOWN_ITEMS[type]!) } : {};
  const isMetadata = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return {
    payload: { type, ...rest, ...items, ...(isMetadata || metadata === undefined ? {} : { metadata }) },
    metadata: isMetadata ? (metadata as Content) : undefined,
  };
}

const SHOWN_ITEMS: Record<string, (item: Content) => Content> = {
  bloc: item => (typeof item?.payload === 'object' ? { type: item.type, ...(item.payload as Content) } : item),
  // The chat client drops a message whose cards have no type, which the interface of bots does not declare.
  carousel: item =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? { type: 'card', ...item } : item,
};
