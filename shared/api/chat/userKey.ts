/**
 * User keys: a JWT (HS256) with the claim `id`, verified without a read (docs/api/chat.md#user-keys). The bot's owner
 * signs keys with the installation's `encryptionKey`, Parley with a derived key. Parley's keys also contain the user's
 * `generation`, which invalidates them when the user is deleted, and `idBy` if the owner chose the id. The owner's keys
 * name foreign ids only: the platform's own ids include those of agents.
 */

import { createHmac } from 'node:crypto';
import * as jws from 'jws';
import type { Caller, KeyClaims } from '#shared/api/caller.ts';
import { clock } from '#shared/core/clock.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isForeignId, isUserGeneration, isUserId, resolveUserId } from '#shared/core/ids.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

const ALGORITHM = 'HS256';

const CACHED_KEYS = 500;
const cache = new WeakMap<Webhook, Map<string, { caller: Caller; expiresAtSeconds: number }>>();

/** @throws ApiError Unauthorized; InvalidPayload for a valid key whose id is malformed */
export function verifyUserKey(webhook: Webhook, key: string | undefined): Caller {
  if (!key) throw new ApiError('Unauthorized', 'The header x-user-key is missing.');

  const nowSeconds = clock.now() / 1000;
  const cached = cache.get(webhook)?.get(key);
  if (cached && cached.expiresAtSeconds > nowSeconds) return cached.caller;

  const { claims, isDerived } = verifiedClaims(webhook, key);
  const { id, generation, exp = Number.POSITIVE_INFINITY, nbf = 0 } = claims;
  const isInTime = typeof exp === 'number' && typeof nbf === 'number' && nbf <= nowSeconds && nowSeconds < exp;
  if (typeof id !== 'string' || id === '' || !isInTime) throw invalidKey();
  const known = {
    id,
    isDerived,
    generation: typeof generation === 'string' ? generation : undefined,
    idBy: typeof claims.idBy === 'string' ? claims.idBy : undefined,
  };
  if (!acceptsClaims(webhook, known)) throw invalidKey();
  const isIssued = isIssuedKey(webhook, known);
  if (!isIssued && isUserId(id)) {
    throw invalidPayload(
      'Sign keys only for your own user ids. For a user whose id Parley created, request a key with generateUserKey.',
      'x-user-key',
    );
  }
  const caller = callerNamed(webhook, key, {
    claims: known,
    generation: isIssued ? String(generation) : undefined,
    expiresAtMs: exp * 1000,
  });
  cacheCaller(webhook, key, { caller, expiresAtSeconds: exp });
  return caller;
}

const isIssuedKey = (webhook: Webhook, { isDerived, generation }: KeyClaims): boolean =>
  isDerived || isIssuedEarlier(webhook, generation);

/** Returns false for a key that settings of the installation invalidate, although its signature is valid. */
export const acceptsClaims = (webhook: Webhook, claims: KeyClaims): boolean =>
  isIssuedKey(webhook, claims) ? isIdPermitted(webhook, claims.id, claims.idBy) : webhook.isPersonalKey;

/** Returns true if only the bot's owner may choose user ids, which requires a secret. */
export const reservesIds = (webhook: Pick<Webhook, 'isPersonalKey' | 'adminSecretHash' | 'areIdsOpen'>): boolean =>
  (webhook.isPersonalKey || webhook.adminSecretHash !== undefined) && !webhook.areIdsOpen;

/** Rejects ids that guests chose before the owner set a secret, because they may match a customer's id. */
const isIdPermitted = (webhook: Webhook, id: string, idBy: unknown): boolean =>
  idBy === 'owner' || !isForeignId(id) || !reservesIds(webhook);

/** Earlier versions signed issued keys with the encryption key itself. */
const isIssuedEarlier = ({ isPersonalKey }: Webhook, generation: unknown): boolean =>
  typeof generation === 'string' && (isPersonalKey ? isUserGeneration(generation) : generation !== '');

/**
 * Returns the claims of a key with a valid signature. The algorithm is fixed; the key's header cannot choose it. A key
 * with `crit` requires an extension that must be understood (RFC 7515, section 4.1.11). None is.
 */
function verifiedClaims(
  { encryptionKey }: Webhook,
  key: string,
): { claims: Record<string, unknown>; isDerived: boolean } {
  try {
    const isDerived = jws.verify(key, ALGORITHM, issuingKey(encryptionKey));
    if (isDerived || jws.verify(key, ALGORITHM, encryptionKey)) {
      const token = jws.decode(key, { json: true });
      const isJwt =
        token?.header.alg === ALGORITHM &&
        !('crit' in token.header) &&
        typeof token.payload === 'object' &&
        token.payload !== null;
      if (isJwt) return { claims: token.payload, isDerived };
    }
  } catch {}
  throw invalidKey();
}

/** Derives the signing key of issued keys, so that a new encryption key invalidates them. */
const issuingKey = (encryptionKey: string): Buffer =>
  createHmac('sha256', encryptionKey).update('user keys issued by the platform').digest();

const invalidKey = () => new ApiError('Unauthorized', 'The user key is invalid. Request a new one.');

function callerNamed(
  webhook: Webhook,
  key: string,
  { claims, generation, expiresAtMs }: Pick<Caller, 'claims' | 'generation' | 'expiresAtMs'>,
): Caller {
  const { id } = claims;
  const userId = resolveUserId(webhook.webhookId, id);
  // The signature is valid, so the error can be specific: a 400, as in the ecosystem.
  if (!userId)
    throw invalidPayload('The id in the user key must be 1 to 70 characters of A-Z a-z 0-9 _ -.', 'x-user-key');
  return { userId, shownId: id, foreignId: id === userId ? undefined : id, generation, key, expiresAtMs, claims };
}

function cacheCaller(webhook: Webhook, key: string, entry: { caller: Caller; expiresAtSeconds: number }): void {
  let keys = cache.get(webhook);
  if (!keys || keys.size >= CACHED_KEYS) {
    keys = new Map();
    cache.set(webhook, keys);
  }
  keys.set(key, entry);
}

/** Returns a key that is valid until the user is deleted. `idBy` is `owner` for callers with the admin secret. */
export const issueUserKey = (
  { encryptionKey }: Pick<Webhook, 'encryptionKey'>,
  user: { id: string; generation: string; idBy?: 'owner' | undefined; expiresAtMs?: number | undefined },
): string => signClaims(user, issuingKey(encryptionKey));

export const signUserKey = (
  { encryptionKey }: Pick<Webhook, 'encryptionKey'>,
  user: { id: string; expiresAtMs?: number | undefined },
): string => signClaims(user, encryptionKey);

const signClaims = (
  { expiresAtMs, ...claims }: { id: string; expiresAtMs?: number | undefined },
  secret: string | Buffer,
): string =>
  jws.sign({
    header: { alg: ALGORITHM, typ: 'JWT' },
    payload: {
      ...claims,
      iat: Math.floor(clock.now() / 1000),
      ...(expiresAtMs === undefined ? {} : { exp: Math.floor(expiresAtMs / 1000) }),
    },
    secret,
  });
