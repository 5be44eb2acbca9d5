/**
 * User keys: a JWT (HS256) with the claim `id`, signed with the installation's encryption key (FACTS 1.2). Verified
 * without a database read.
 */
import * as jws from 'jws';
import type { Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { resolveUserId } from '#shared/ids.ts';
import type { Caller } from './caller.ts';

const ALGORITHM = 'HS256';

/** A bot can have many users at once, a function few: what it verified last is remembered for as long as its webhook. */
const REMEMBERED_KEYS = 500;
const remembered = new WeakMap<Webhook, Map<string, { caller: Caller; expiresAtSeconds: number }>>();

/** @throws ApiError Unauthorized, always with one text: it doesn't say how close a guess came */
export function verifyUserKey(webhook: Webhook, key: string | undefined): Caller {
  if (!key) throw new ApiError('Unauthorized', 'The header x-user-key is missing.');

  const nowSeconds = Date.now() / 1000;
  const known = remembered.get(webhook)?.get(key);
  if (known && known.expiresAtSeconds > nowSeconds) return known.caller;

  const { id, exp = Number.POSITIVE_INFINITY, nbf = 0 } = verifiedClaims(webhook, key);
  const isInTime = typeof exp === 'number' && typeof nbf === 'number' && nbf <= nowSeconds && nowSeconds < exp;
  if (typeof id !== 'string' || id === '' || !isInTime) throw invalidKey();
  const caller = callerNamed(webhook, id);
  remember(webhook, key, { caller, expiresAtSeconds: exp });
  return caller;
}

/** The claims, once the signature is known to be ours; whatever the header says, only by the one algorithm. */
function verifiedClaims(webhook: Webhook, key: string): Record<string, unknown> {
  try {
    if (jws.verify(key, ALGORITHM, webhook.encryptionKey)) {
      const token = jws.decode(key, { json: true });
      const isJwt = token?.header.alg === ALGORITHM && typeof token.payload === 'object' && token.payload !== null;
      if (isJwt) return token.payload;
    }
  } catch {
    // No JWT at all: its header or payload is no JSON.
  }
  throw invalidKey();
}

const invalidKey = () => new ApiError('Unauthorized', 'Invalid user key.');

function callerNamed(webhook: Webhook, id: string): Caller {
  const userId = resolveUserId(webhook.webhookId, id);
  // The key is genuine, so this is the bot's mistake, and he wants to know which: as in the reference, a 400.
  if (!userId) throw invalidPayload('The id in the user key must be 1 to 70 of A-Z a-z 0-9 _ -.', 'x-user-key');
  return { userId, shownId: id, foreignId: id === userId ? undefined : id };
}

function remember(webhook: Webhook, key: string, entry: { caller: Caller; expiresAtSeconds: number }): void {
  let keys = remembered.get(webhook);
  if (!keys || keys.size >= REMEMBERED_KEYS) {
    keys = new Map();
    remembered.set(webhook, keys);
  }
  keys.set(key, entry);
}

/** A key for a user that `createUser` made. It does not expire, as in the reference. */
export const signUserKey = (webhook: Pick<Webhook, 'encryptionKey'>, id: string): string =>
  jws.sign({
    header: { alg: ALGORITHM, typ: 'JWT' },
    payload: { id, iat: Math.floor(Date.now() / 1000) },
    secret: webhook.encryptionKey,
  });
