/**
 * Secrets as items hold them: encrypted with the deployment's sealing key, which only the functions that need it have
 * (docs/operations.md#secrets). Whoever reads the table, a backup or a log of its stream reads no secret.
 *
 * `sealed:v2:<key id>:<base64>` is bound to its place: a text that is copied to another tenant or field does not open.
 * `sealed:<base64>`, as versions before sealed, is bound to nothing; `npm run rotate:key` replaces it.
 */
import { environment } from '#shared/core/environment.ts';
import { parseKeyRing, type RingKey } from '#shared/core/keyRing.ts';
import { seal, unseal } from '#shared/core/seal.ts';

const PREFIX = 'sealed:';
const BOUND = 'sealed:v2:';

/** Where a secret stands. It is authenticated with the secret, so neither part may ever change for stored ones. */
export interface SealedPlace {
  /** The id of the bot, integration, webhook or function that the secret belongs to. */
  owner: string;
  /** For a secret of deployed code, with its name. */
  field: 'signingSecrets' | 'settings' | 'encryptionKey' | 'variables' | `secrets.${string}`;
}

const boundTo = ({ owner, field }: SealedPlace) => JSON.stringify([owner, field]);

export function sealText(text: string, place: SealedPlace): string {
  const { current } = parseKeyRing(environment.sealingKey);
  return `${BOUND}${current.id}:${seal(text, current.secret, boundTo(place))}`;
}

/** @throws Error when the text is not sealed, sealed for another place, or with a key that this deployment does not have */
export function openText(sealed: string, place: SealedPlace): string {
  if (!sealed.startsWith(PREFIX)) throw new Error('A secret is stored unsealed, as by an earlier version.');
  const { current, other } = parseKeyRing(environment.sealingKey);
  const keys = other ? [current, other] : [current];
  if (!sealed.startsWith(BOUND)) return openWithAny(sealed.slice(PREFIX.length), keys);
  const [keyId, text = ''] = sealed.slice(BOUND.length).split(':');
  const key = keys.find(({ id }) => id === keyId);
  if (!key)
    throw new Error(
      `A secret of ${place.owner} was sealed with the key ${keyId}, which this deployment does not have.`,
    );
  return unseal(text, key.secret, boundTo(place)) as string;
}

/** A text of an earlier version, which names no key. */
function openWithAny(text: string, keys: readonly RingKey[]): string {
  for (const [i, { secret }] of keys.entries()) {
    try {
      return unseal(text, secret) as string;
    } catch (error) {
      if (i === keys.length - 1) throw error;
    }
  }
  throw new Error('The sealing key is missing.');
}

/** Returns whether a text is sealed with the current key and bound to its place. */
export const isSealedWithCurrentKey = (sealed: string): boolean =>
  sealed.startsWith(`${BOUND}${parseKeyRing(environment.sealingKey).current.id}:`);

/** The inverse of {@link sealSecrets}. */
export const openSecrets = (owner: string, sealed: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sealed).map(([name, text]) => [name, openText(text, { owner, field: `secrets.${name}` })]),
  );

/** By name; null removes one. */
export type SealedSecrets = Record<string, string | null> | undefined;

/** Seals the secrets of an owner's deployed code. */
export const sealSecrets = (owner: string, secrets: Record<string, string | null> | undefined): SealedSecrets =>
  secrets &&
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      value === null ? value : sealText(value, { owner, field: `secrets.${name}` }),
    ]),
  );
