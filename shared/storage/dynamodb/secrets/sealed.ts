/**
 * Secrets in the table are encrypted with the deployment's sealing key, which only the functions that need it have
 * (docs/operations.md#secrets). The table, its backups and its stream contain no readable secret.
 *
 * `sealed:v2:<key id>:<base64>` is bound to its place: a copy in another bot or field does not open.
 * `sealed:<base64>`, the format of earlier versions, is bound to nothing. `npm run rotate:key` replaces it.
 */
import { environment } from '#shared/core/environment.ts';
import { parseKeyRing, type RingKey } from '#shared/core/keyRing.ts';
import { seal, unseal } from '#shared/core/seal.ts';

const PREFIX = 'sealed:';
const BOUND = 'sealed:v2:';

/** The place of a secret, authenticated with it: changing how a place is written makes stored secrets unreadable. */
export interface SealedPlace {
  /** The id of the bot, integration, webhook or function that has the secret. */
  owner: string;
  field: 'signingSecrets' | 'settings' | 'encryptionKey' | 'variables' | `secrets.${string}`;
}

const boundTo = ({ owner, field }: SealedPlace) => JSON.stringify([owner, field]);

export function sealText(text: string, place: SealedPlace): string {
  const { current } = parseKeyRing(environment.sealingKey);
  return `${BOUND}${current.id}:${seal(text, current.secret, boundTo(place))}`;
}

/**
 * @throws Error when the text is not sealed, sealed for another place, or with a key that this deployment does not have
 */
export function openText(sealed: string, place: SealedPlace): string {
  if (!sealed.startsWith(PREFIX)) throw new Error('A secret is stored unsealed, as by an earlier version.');
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

/** Opens a text of an earlier version, which does not name its key. */
function openUnnamed(text: string, [key, ...others]: readonly RingKey[]): string {
  try {
    return unseal(text, key!.secret) as string;
  } catch (error) {
    if (others.length === 0) throw error;
    return openUnnamed(text, others);
  }
}

/** Returns true if a text is sealed with the current key and bound to its place. */
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
