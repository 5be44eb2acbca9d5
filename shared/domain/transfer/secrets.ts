/**
 * Exports and imports the secrets in items, or leaves them out. `sealing.ts` seals exported secrets with a
 * passphrase, which needs the installation's key.
 */
import type { Item } from '#shared/storage/dynamodb/query.ts';
import type { SealedPlace } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { replaceSecrets } from '#shared/storage/dynamodb/secrets/sealedPlaces.ts';

/** The place of a secret in an export and in the table. */
interface PortablePlace {
  /** The path of the secret within its item, with the item's key. */
  path: string;
  sealed: SealedPlace;
}

/** Exports and imports secrets. */
export interface Secrets {
  export(sealed: string, place: PortablePlace): string;
  import(portable: string, place: PortablePlace): string;
}

const SEALED = 'sealed:';
export const PORTABLE = 'portable:';
const WITHHELD = 'withheld:';

/** Leaves secrets out of an export. */
export const WITHHELD_SECRETS: Pick<Secrets, 'export'> = { export: () => WITHHELD };

/** Returns an item with its secrets exported or imported. */
export const transferSecrets = (kind: string, item: Item, transfer: Secrets['export']): Item =>
  replaceSecrets(kind, item, (text, sealed, path) =>
    isSecret(text) ? transfer(text, { path: `${item.pk} ${item.sk} ${path}`, sealed }) : text,
  );

const isSecret = (text: string) => [SEALED, PORTABLE, WITHHELD].some(prefix => text.startsWith(prefix));
