/**
 * Secrets in the table, sealed with the deployment's key, which few functions have (docs/operations/secrets.md).
 *
 * `sealed:v2:<key id>:<base64>` is bound to its location, so a copy in another bot or field cannot be opened.
 * `sealed:<base64>` is the unbound format of earlier versions, which `npm run rotate:key` replaces.
 */
import { environment } from '#shared/core/environment.ts';
import { parseKeyRing, type RingKey } from '#shared/core/keyRing.ts';
import { seal, unseal } from '#shared/core/seal.ts';

const PREFIX = 'sealed:';
const BOUND = 'sealed:v2:';

/** Location of a secret, as authenticated data. Changing its encoding makes stored secrets unreadable. */
export interface SealedPlace {
  owner: string;
  field: 'signingSecrets' | 'settings' | 'encryptionKey' | 'variables' | 'clientSecret' | `secrets.${string}`;
}

const boundTo = ({ owner, field }: SealedPlace) => JSON.stringify([owner, field]);

export function sealText(text: string, place: SealedPlace): string {
  const { current } = parseKeyRing(environment.sealingKey);
  return `${BOUND}${current.id}:${seal(text, current.secret, boundTo(place))}`;
}

/** @throws Error for text that is unsealed, from another location, or sealed with a key that this deployment lacks */
export function openText(sealed: string, place: SealedPlace): string {
  if (!sealed.startsWith(PREFIX))
    throw new Error('A stored secret is not sealed. An earlier version may have written it.');
  const { current, other } = parseKeyRing(environment.sealingKey);
  const keys = other ? [current, other] : [current];
  if (!sealed.startsWith(BOUND)) return openUnnamed(sealed.slice(PREFIX.length), keys);
  const [keyId, text = ''] = sealed.slice(BOUND.length).split(':');
  const key = keys.find(({ id }) => id === keyId);
  if (!key)
    throw new Error(
      `A secret of ${place.owner} was sealed with the key ${keyId}, which this deployment does not have.`,
    );
  return unseal(text, key.secret, boundTo(place)) as string;
}

/** Opens the format of earlier versions, which does not contain the key's id. */
function openUnnamed(text: string, [key, ...others]: readonly RingKey[]): string {
  try {
    return unseal(text, key!.secret) as string;
  } catch (error) {
    if (others.length === 0) throw error;
    return openUnnamed(text, others);
  }
}

export const isSealedWithCurrentKey = (sealed: string): boolean =>
  sealed.startsWith(`${BOUND}${parseKeyRing(environment.sealingKey).current.id}:`);

export const openSecrets = (owner: string, sealed: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sealed).map(([name, text]) => [name, openText(text, { owner, field: `secrets.${name}` })]),
  );

export type SealedSecrets = Record<string, string | null> | undefined;

export const sealSecrets = (owner: string, secrets: Record<string, string | null> | undefined): SealedSecrets =>
  secrets &&
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      value === null ? value : sealText(value, { owner, field: `secrets.${name}` }),
    ]),
  );
