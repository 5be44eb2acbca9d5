import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { randomText } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Item, prefixQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { isConditionFailed, tryWrite, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  accountPk,
  botPk,
  integrationPk,
  linkPrefix,
  sessionPrefix,
  tokenKey,
  tokenPrefix,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { correctCount, countUp, findCount } from './ownerCounts.ts';
import { hashToken, newTokenId, newTokenValue, type TokenKind } from './tokenValue.ts';

const Token = z.object({
  id: z.string(),
  hash: z.string(),
  note: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.optional(z.number()),
  scopes: z.optional(z.array(z.string())),
  lastUsedAtMs: z.optional(z.number()),
  pageKey: z.string(),
  createdBy: z.optional(z.string()),
  epoch: z.optional(z.number()),
  /** Deployment whose code has the key. */
  deployment: z.optional(z.string()),
  /**
   * Set for the token of a member's sign-in link, for a session from single sign-on, and for everything that they
   * created (`workspaceLimit.ts`).
   */
  limitedTo: z.optional(
    z.object({
      workspaceId: z.string(),
      /** Accounts whose rights it depends on: of the link's creator, and if they used a link, of that one's. */
      grantedBy: z.array(z.string()),
      /** Single sign-on that it depends on. */
      singleSignOnId: z.optional(z.string()),
    }),
  ),
  /** Latest session that a personal access token created. */
  lastSessionId: z.optional(z.string()),
  /** Set for sessions (`sessions.ts`). */
  session: z.optional(
    z.object({
      /** The personal access token that created the session, which ends with it. */
      tokenId: z.optional(z.string()),
      rightsEndAtMs: z.optional(z.number()),
    }),
  ),
});
export type Token = z.infer<typeof Token>;
export type WorkspaceLimit = NonNullable<Token['limitedTo']>;
export const parseTokenItem = (item: Item): Token => Token.parse(item);

/** Keeps expired tokens listed, as an explanation for their owners. */
const RETENTION_AFTER_EXPIRY_SECONDS = 30 * 24 * 3600;

const ttlOf = (kind: TokenKind, expiresAtMs: number) =>
  Math.floor(expiresAtMs / 1000) + (kind === 'ses' || kind === 'lnk' ? 0 : RETENTION_AFTER_EXPIRY_SECONDS);

const ownerPk = { pat: accountPk, ses: accountPk, lnk: accountPk, bak: botPk, iak: integrationPk } as const;
const prefixOf = { pat: tokenPrefix, ses: sessionPrefix, lnk: linkPrefix, bak: tokenPrefix, iak: tokenPrefix } as const;
export const tokenKeyOf = (kind: TokenKind, ownerId: string, hash: string) =>
  tokenKey(ownerPk[kind](ownerId), prefixOf[kind], hash);

const DAY_MS = 24 * 3_600_000;
/** A session ends this long after its last use. */
export const SESSION_IDLE_MS = 14 * DAY_MS;

/** Returns the time at which the token stops working. Each recorded use renews a session, up to `expiresAtMs`. */
export const endOf = ({ session, expiresAtMs, lastUsedAtMs, createdAtMs }: Token): number =>
  Math.min(
    expiresAtMs ?? Number.POSITIVE_INFINITY,
    session ? (lastUsedAtMs ?? createdAtMs) + SESSION_IDLE_MS : Number.POSITIVE_INFINITY,
  );

/**
 * Returns the time at which the rights behind the token end, which nothing that it grants may outlive. A person's
 * rights do not end with their session, unless a token with an expiry created it.
 */
export const rightsEndOf = ({ session, expiresAtMs }: Token): number | undefined =>
  session ? session.rightsEndAtMs : expiresAtMs;

/** Returns true for a key from before the bot's transfer, which revokes all of its keys. */
export const isOutdated = (token: Token, { keyEpoch = 0 }: { keyEpoch?: number | undefined }) =>
  (token.epoch ?? 0) !== keyEpoch;

export function mintToken(
  kind: TokenKind,
  ownerId: string,
  { nowMs, ...fields }: Omit<Token, 'id' | 'hash' | 'createdAtMs' | 'pageKey' | 'lastSessionId'> & { nowMs: number },
): { value: string; token: Token; write: Write } {
  const value = newTokenValue(kind, ownerId);
  const token: Token = {
    id: newTokenId(kind, ownerId, nowMs),
    hash: hashToken(value),
    createdAtMs: nowMs,
    pageKey: randomText(32),
    ...fields,
  };
  const ttl = fields.expiresAtMs && ttlOf(kind, fields.expiresAtMs);
  const write: Write = {
    put: {
      Item: { ...tokenKeyOf(kind, ownerId, token.hash), ...token, ...(ttl ? { ttl } : {}) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new Error('Two tokens have the same hash.'),
  };
  return { value, token, write };
}

/** Returns true for a credential that the caller may see and end: one that is limited to the caller's workspace. */
export const isWithinLimitOf = ({ limitedTo: caller }: Token, { limitedTo }: Token): boolean =>
  caller === undefined || caller.workspaceId === limitedTo?.workspaceId;

export const TOKENS_LIMIT = 200;

/**
 * Counts a token that a caller creates.
 * @throws ApiError LimitExceeded, also from the write, for an owner with {@link TOKENS_LIMIT} tokens
 */
export async function countToken(kind: TokenKind, ownerId: string): Promise<Write> {
  const pk = ownerPk[kind](ownerId);
  const counted = await findCount(pk, 'tokens');
  if (counted >= TOKENS_LIMIT) {
    // Tokens expire and are revoked in several ways, so they are counted again instead of counted down.
    const present = (await listTokens(kind, ownerId)).filter(({ deployment }) => deployment === undefined).length;
    if (present >= TOKENS_LIMIT) {
      throw new ApiError('LimitExceeded', `At most ${TOKENS_LIMIT} tokens are allowed. Delete those that are unused.`);
    }
    if (!(await correctCount(pk, 'tokens', counted, present))) throw new WriteConflict();
  }
  return countUp(pk, 'tokens', TOKENS_LIMIT, () => new WriteConflict());
}

export async function listTokens(kind: TokenKind, ownerId: string): Promise<Token[]> {
  const tokens: Token[] = [];
  const query = { ...prefixQuery(ownerPk[kind](ownerId), prefixOf[kind]), ConsistentRead: true };
  for await (const item of queryAll(query)) tokens.push(Token.parse(item));
  return tokens.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

export const removeToken = (kind: TokenKind, ownerId: string, token: Token): Write => ({
  remove: {
    Key: tokenKeyOf(kind, ownerId, token.hash),
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': token.id },
  },
  onRefused: () => notFound(`The key ${token.id}`),
});

export const expireToken = (kind: TokenKind, ownerId: string, token: Token, atMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: tokenKeyOf(kind, ownerId, token.hash),
      UpdateExpression: 'SET expiresAtMs = :at, #ttl = :ttl',
      ConditionExpression: 'id = :id AND (attribute_not_exists(expiresAtMs) OR expiresAtMs > :at)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':id': token.id, ':at': atMs, ':ttl': ttlOf(kind, atMs) },
    },
  });

const USE_RECORDED_EVERY_MS = 3600_000;

export const isUseDue = (token: Token, nowMs: number) => (token.lastUsedAtMs ?? 0) < nowMs - USE_RECORDED_EVERY_MS;

/** Best effort: never fails a call. A lost record is corrected by the next use. */
export async function recordUse(kind: TokenKind, ownerId: string, token: Token, nowMs: number): Promise<void> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: tokenKeyOf(kind, ownerId, token.hash),
        UpdateExpression: 'SET lastUsedAtMs = :now',
        // Another instance may just have recorded it, and a revoked token must not reappear.
        ConditionExpression: 'id = :id AND (attribute_not_exists(lastUsedAtMs) OR lastUsedAtMs < :stale)',
        ExpressionAttributeValues: { ':id': token.id, ':now': nowMs, ':stale': nowMs - USE_RECORDED_EVERY_MS },
      }),
    );
  } catch (error) {
    if (isConditionFailed(error)) return;
    log.warn('Failed to record the use of a token.', { keyId: token.id, error: errorFields(error) });
  }
}
