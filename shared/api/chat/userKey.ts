/**
 * User keys: a JWT (HS256) with the claim `id`, signed with the installation's encryption key and verified without a
 * database read (docs/compatibility.md#user-keys). Keys that Parley issues also name the user's generation, so that they
 * end with the user.
 */

import * as jws from 'jws';
import { clock } from '#shared/clock.ts';
import type { Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { resolveUserId } from '#shared/ids.ts';
import type { Caller } from './caller.ts';

const ALGORITHM = 'HS256';

/** Verified keys are cached with their webhook: a bot has many users at once, one function instance few. */
const CACHED_KEYS = 500;
const cache = new WeakMap<Webhook, Map<string, { caller: Caller; expiresAtSeconds: number }>>();

/**
 * @throws ApiError Unauthorized, with the same message for every invalid key, so that it doesn't help to guess one;
 * InvalidPayload for a genuine key with an id that no user can have
 */
export function verifyUserKey(webhook: Webhook, key: string | undefined): Caller {
  if (!key) throw new ApiError('Unauthorized', 'The header x-user-key is missing.');

  const nowSeconds = clock.now() / 1000;
  const known = cache.get(webhook)?.get(key);
  if (known && known.expiresAtSeconds > nowSeconds) return known.caller;

  const { id, generation, exp = Number.POSITIVE_INFINITY, nbf = 0 } = verifiedClaims(webhook, key);
  const isInTime = typeof exp === 'number' && typeof nbf === 'number' && nbf <= nowSeconds && nowSeconds < exp;
  if (typeof id !== 'string' || id === '' || !isInTime) throw invalidKey();
  // The bot's owner signs keys by id alone; whatever else such a key claims is the owner's business, unless we issue keys too.
  const isIssued = webhook.isSignUpOpen && typeof generation === 'string' && generation !== '';
  if (!webhook.isPersonalKey && !isIssued) throw invalidKey();
  const caller = callerNamed(webhook, key, { id, generation: isIssued ? generation : undefined });
  keep(webhook, key, { caller, expiresAtSeconds: exp });
  return caller;
}

/** The claims of a key with a valid signature. The key's header has no say in the algorithm. */
function verifiedClaims(webhook: Webhook, key: string): Record<string, unknown> {
  try {
    if (jws.verify(key, ALGORITHM, webhook.encryptionKey)) {
      const token = jws.decode(key, { json: true });
      const isJwt = token?.header.alg === ALGORITHM && typeof token.payload === 'object' && token.payload !== null;
      if (isJwt) return token.payload;
    }
  } catch {
    // Not a JWT: its header or payload is not JSON.
  }
  throw invalidKey();
}

const invalidKey = () => new ApiError('Unauthorized', 'Invalid user key.');

function callerNamed(
  webhook: Webhook,
  key: string,
  { id, generation }: { id: string; generation: string | undefined },
): Caller {
  const userId = resolveUserId(webhook.webhookId, id);
  // The key is genuine, so its signer made a mistake and needs to know which: a 400, as in the ecosystem.
  if (!userId) throw invalidPayload('The id in the user key must be 1 to 70 of A-Z a-z 0-9 _ -.', 'x-user-key');
  return { userId, shownId: id, foreignId: id === userId ? undefined : id, generation, key };
}

function keep(webhook: Webhook, key: string, entry: { caller: Caller; expiresAtSeconds: number }): void {
  let keys = cache.get(webhook);
  if (!keys || keys.size >= CACHED_KEYS) {
    keys = new Map();
    cache.set(webhook, keys);
  }
  keys.set(key, entry);
}

/** A key for a user created by `createUser`. It ends with the user (docs/compatibility.md#user-keys). */
export const signUserKey = (
  webhook: Pick<Webhook, 'encryptionKey'>,
  { id, generation, expiresAtMs }: { id: string; generation?: string; expiresAtMs?: number | undefined },
): string =>
  jws.sign({
    header: { alg: ALGORITHM, typ: 'JWT' },
    payload: {
      id,
      generation,
      iat: Math.floor(clock.now() / 1000),
      ...(expiresAtMs === undefined ? {} : { exp: Math.floor(expiresAtMs / 1000) }),
    },
    secret: webhook.encryptionKey,
  });
