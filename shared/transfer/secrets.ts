/**
 * Stored secrets, which an installation seals with a key of its own, on their way to another: where they stand in items, and how they
 * are left out. What seals them with a passphrase is `sealing.ts`, which needs the installation's key.
 */
import type { Item } from '#shared/dynamodb/query.ts';

/** Exports and opens secrets. @param place the path of the secret within its item, with the item's key */
export interface Secrets {
  export(sealed: string, place: string): string;
  import(portable: string, place: string): string;
}

const SEALED = 'sealed:';
export const PORTABLE = 'portable:';
const WITHHELD = 'withheld:';

/** Left out of the export. */
export const WITHHELD_SECRETS: Pick<Secrets, 'export'> = { export: () => WITHHELD };

/** Of these kinds the value is exported as JSON, since secrets lie within it. */
export const isDefinition = (kind: string): boolean => kind === 'definition' || kind === 'packageDefinition';

/** The attributes of a kind that hold secrets; other texts may look like a sealed one, and are none. */
const PLACES: Record<string, RegExp> = {
  webhook: /^encryptionKey$/,
  bot: /^signingSecrets\.\d+\.sealed$/,
  integration: /^signingSecrets\.\d+\.sealed$/,
  definition: /^value\.(sealed|secrets\..*)$/s,
};

/** An item with each of its secrets replaced. */
export function replaceSecrets(kind: string, item: Item, replace: Secrets['export']): Item {
  const { [kind]: places } = PLACES;
  if (!places) return item;
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((inner, i) => visit(inner, `${path}.${i}`));
    if (typeof value === 'string')
      return isSecret(value) && places.test(path) ? replace(value, placeOf(item, path)) : value;
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, visit(inner, path === '' ? name : `${path}.${name}`)]),
    );
  };
  return visit(item, '') as Item;
}

const isSecret = (text: string) => [SEALED, PORTABLE, WITHHELD].some(prefix => text.startsWith(prefix));
const placeOf = ({ pk, sk }: Item, path: string) => `${pk} ${sk} ${path}`;
