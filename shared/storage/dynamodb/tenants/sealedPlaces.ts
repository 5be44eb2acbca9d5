import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import type { SealedPlace } from '#shared/storage/dynamodb/secrets/sealed.ts';

export const isDefinition = (kind: string): boolean => kind === 'definition' || kind === 'packageDefinition';

/** Secret fields by kind of item and path. Other texts may look sealed, but are not. */
const FIELDS: Record<string, (path: string) => SealedPlace['field'] | undefined> = {
  singleSignOn: path => (path === 'clientSecret' ? 'clientSecret' : undefined),
  webhook: path => (path === 'encryptionKey' ? 'encryptionKey' : undefined),
  bot: path => (/^signingSecrets\.\d+\.sealed$/.test(path) ? 'signingSecrets' : undefined),
  integration: path => (/^signingSecrets\.\d+\.sealed$/.test(path) ? 'signingSecrets' : undefined),
  definition: path => {
    if (path === 'value.sealed') return 'settings';
    return path.startsWith('value.secrets.') ? `secrets.${path.slice('value.secrets.'.length)}` : undefined;
  },
};

export type ReplaceSecret = (secret: string, place: SealedPlace, path: string) => string;

export function replaceSecrets(kind: string, item: Item, replace: ReplaceSecret): Item {
  const { [kind]: fieldAt } = FIELDS;
  if (!fieldAt) return item;
  const owner = ownerOf(kind, item);
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((inner, i) => visit(inner, `${path}.${i}`));
    if (typeof value === 'string') {
      const field = fieldAt(path);
      return field === undefined ? value : replace(value, { owner, field }, path);
    }
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, visit(inner, path === '' ? name : `${path}.${name}`)]),
    );
  };
  return visit(item, '') as Item;
}

function ownerOf(kind: string, { pk, webhookId }: Item): string {
  if (kind === 'webhook') return webhookId;
  // `account#<workspace>`.
  return kind === 'singleSignOn' ? splitPk(pk).id : splitPk(pk).botId;
}
