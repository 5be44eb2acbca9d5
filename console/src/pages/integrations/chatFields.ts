/** Configuration fields that Parley adds to chat integrations. The ecosystem's definitions do not list them. */

interface Texts {
  title: string;
  description: string;
}

export const CHAT_FIELDS = [
  'allowedOrigins',
  'fileUploads',
  'payloadExtensions',
  'encryptionKey',
  'openSignUp',
  'adminSecret',
] as const;
export type ChatField = (typeof CHAT_FIELDS)[number];

const SECRET = { type: 'string', 'x-zui': { secret: true } };

const schemas = (withIds: string): Record<ChatField, object> => ({
  encryptionKey: SECRET,
  openSignUp: { anyOf: [{ type: 'boolean' }, { const: 'withIds', title: withIds }] },
  payloadExtensions: { type: 'boolean' },
  fileUploads: { type: 'boolean' },
  adminSecret: SECRET,
  allowedOrigins: { type: 'array', items: { type: 'string' }, maxItems: 100 },
});

export const isChatName = (name: string): boolean => /(^|\/)(chat|webchat)$/.test(name);

interface WithProperties {
  properties?: Record<string, unknown>;
}

/** @param withIds label of the choice that lets users choose their ids */
export function withChatFields(schema: unknown, textsOf: (field: ChatField) => Texts, withIds: string): unknown {
  const { properties = {}, ...rest } = (schema ?? {}) as WithProperties;
  const own = schemas(withIds);
  const added = CHAT_FIELDS.map(name => [name, { ...own[name], ...textsOf(name) }] as const);
  const others = Object.entries(properties).filter(([name]) => !Object.hasOwn(own, name));
  return { type: 'object', ...rest, properties: Object.fromEntries([...added, ...others]) };
}
