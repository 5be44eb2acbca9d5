/**
 * User keys: a JWT (HS256) with the claim `id`, signed with the installation's encryption key (FACTS 1.2). Verified
 * without a database read.
 */
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { ApiError, invalidPayload } from '../http/errors.ts';
import { resolveUserId } from '../table/ids.ts';
import type { Webhook } from '../table/webhooks.ts';
import type { Caller } from './caller.ts';

const ALGORITHM = 'HS256';
const secretOf = (webhook: Webhook) => new TextEncoder().encode(webhook.encryptionKey);

/** A bot can have many users at once, a function few: what it verified last is remembered for as long as its webhook. */
const REMEMBERED_KEYS = 500;
const remembered = new WeakMap<Webhook, Map<string, { caller: Caller; expiresAtSeconds: number }>>();

/** @throws ApiError Unauthorized, always with one text: it doesn't say how close a guess came */
export async function verifyUserKey(webhook: Webhook, key: string | undefined): Promise<Caller> {
  if (!key) throw new ApiError('Unauthorized', 'The header x-user-key is missing.');

  const known = remembered.get(webhook)?.get(key);
  if (known && known.expiresAtSeconds > Date.now() / 1000) return known.caller;

  const claims = await verifiedClaims(webhook, key);
  if (typeof claims.id !== 'string' || claims.id === '') throw invalidKey();
  const caller = callerNamed(webhook, claims.id);
  remember(webhook, key, { caller, expiresAtSeconds: claims.exp ?? Number.POSITIVE_INFINITY });
  return caller;
}

async function verifiedClaims(webhook: Webhook, key: string): Promise<JWTPayload> {
  try {
    return (await jwtVerify(key, secretOf(webhook), { algorithms: [ALGORITHM] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidKey();
    throw error;
  }
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
export const signUserKey = (webhook: Webhook, id: string): Promise<string> =>
  new SignJWT({ id }).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' }).setIssuedAt().sign(secretOf(webhook));
