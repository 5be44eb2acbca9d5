/** Separate from `passphrase.ts`, which requires the installation's key. */
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import type { SealedPlace } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { replaceSecrets } from '#shared/storage/dynamodb/tenants/sealedPlaces.ts';

interface PortablePlace {
  /** Path within the item, prefixed with the item's key. */
  path: string;
  sealed: SealedPlace;
}

export interface Secrets {
  export(sealed: string, place: PortablePlace): string;
  import(portable: string, place: PortablePlace): string;
}

const SEALED = 'sealed:';
export const PORTABLE = 'portable:';
const WITHHELD = 'withheld:';

export const WITHHELD_SECRETS: Pick<Secrets, 'export'> = { export: () => WITHHELD };

export const transferSecrets = (kind: string, item: Item, transfer: Secrets['export']): Item =>
  replaceSecrets(kind, item, (text, sealed, path) =>
    isSecret(text) ? transfer(text, { path: `${item.pk} ${item.sk} ${path}`, sealed }) : text,
  );

const isSecret = (text: string) => [SEALED, PORTABLE, WITHHELD].some(prefix => text.startsWith(prefix));
