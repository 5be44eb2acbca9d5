/** Tokens of accounts, bots and integrations. Each lies in its owner's partition, and goes with it. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents } from '#shared/dynamodb/client.ts';
import { accountPk, botPk, integrationPk, tokenKey, tokenPrefix } from '#shared/dynamodb/keys/workspace.ts';
import { type Item, queryAll, startingWith } from '#shared/dynamodb/query.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';
import { notFound } from '#shared/errors.ts';
import { randomText } from '#shared/ids.ts';
import { errorFields, log } from '#shared/log.ts';
import { hashToken, newTokenId, newTokenValue, type TokenKind } from './tokenValue.ts';

const Token = z.object({
  id: z.string(),
  hash: z.string(),
  note: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.optional(z.number()),
  /** What it may be used for; without any, for all that its owner may. */
  scopes: z.optional(z.array(z.string())),
  /** To the hour. */
  lastUsedAtMs: z.optional(z.number()),
  /** Signs the `nextToken`s that it is given. */
  pageKey: z.string(),
});
export type Token = z.infer<typeof Token>;
export const parseTokenItem = (item: Item): Token => Token.parse(item);

/** What has expired stays so long, so that its owner sees why it does not work. */
const EXPIRED_SECONDS = 30 * 24 * 3600;

const ownerPk = { pat: accountPk, bak: botPk, iak: integrationPk } as const;
export const tokenKeyOf = (kind: TokenKind, ownerId: string, hash: string) => tokenKey(ownerPk[kind](ownerId), hash);

/** A new token: its value, which is shown once, its record, and what writes it. */
export function mintToken(
  kind: TokenKind,
  ownerId: string,
  {
    nowMs,
    ...fields
  }: { note: string; nowMs: number; expiresAtMs?: number | undefined; scopes?: string[] | undefined },
): { value: string; token: Token; part: Write } {
  const value = newTokenValue(kind, ownerId);
  const token: Token = {
    id: newTokenId(kind, ownerId, nowMs),
    hash: hashToken(value),
    createdAtMs: nowMs,
    pageKey: randomText(32),
    ...fields,
  };
  const ttl = fields.expiresAtMs && Math.floor(fields.expiresAtMs / 1000) + EXPIRED_SECONDS;
  const part: Write = {
    put: {
      Item: { ...tokenKeyOf(kind, ownerId, token.hash), ...token, ...(ttl ? { ttl } : {}) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new Error('Two tokens have one hash.'),
  };
  return { value, token, part };
}

/** All tokens of an owner, oldest first. */
export async function listTokens(kind: TokenKind, ownerId: string): Promise<Token[]> {
  const tokens: Token[] = [];
  const query = { ...startingWith(ownerPk[kind](ownerId), tokenPrefix), ConsistentRead: true };
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

const USE_IS_KEPT_TO_MS = 3600_000;

/** Whether a use now is worth a write: at most one an hour is. */
export const isUseNews = (token: Token, nowMs: number) => (token.lastUsedAtMs ?? 0) < nowMs - USE_IS_KEPT_TO_MS;

/** Never fails a call: what is not kept now is kept at the next use. */
export async function recordUse(kind: TokenKind, ownerId: string, token: Token, nowMs: number): Promise<void> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: tokenKeyOf(kind, ownerId, token.hash),
        UpdateExpression: 'SET lastUsedAtMs = :now',
        // Another function may have kept it just now, and what was revoked must not come back.
        ConditionExpression: 'id = :id AND (attribute_not_exists(lastUsedAtMs) OR lastUsedAtMs < :stale)',
        ExpressionAttributeValues: { ':id': token.id, ':now': nowMs, ':stale': nowMs - USE_IS_KEPT_TO_MS },
      }),
    );
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return;
    log.warn('The use of a token could not be kept.', { keyId: token.id, error: errorFields(error) });
  }
}
