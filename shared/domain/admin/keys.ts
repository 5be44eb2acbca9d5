import * as z from 'zod/mini';
import { GROUPS, isScope, mayGrant } from '#shared/api/auth/scopes.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import { listTokens, mintToken, rightsEndOf, type Token } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { type KeyKind, ownerOfTokenId, type TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';

export const TokenView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  note: z.string(),
  expiresAt: z.optional(dateTime()),
  scopes: z.optional(z.array(z.string())),
  lastUsedAt: z.optional(dateTime()),
  createdBy: z.optional(z.string()),
});
export const PersonalTokenView = z.extend(TokenView, { workspaceId: z.optional(z.string()) });
export const NewTokenView = z.extend(TokenView, { value: z.string() });

export const viewToken = (token: Token): z.infer<typeof TokenView> => ({
  id: token.id,
  createdAt: iso(token.createdAtMs),
  note: token.note,
  expiresAt: token.expiresAtMs === undefined ? undefined : iso(token.expiresAtMs),
  scopes: token.scopes,
  lastUsedAt: token.lastUsedAtMs === undefined ? undefined : iso(token.lastUsedAtMs),
  createdBy: token.createdBy,
});

export const viewPersonalToken = (token: Token): z.infer<typeof PersonalTokenView> => ({
  ...viewToken(token),
  workspaceId: token.limitedTo?.workspaceId,
});

/**
 * Creates a token within the scopes and expiry of the creating token.
 * @throws ApiError InvalidPayload for an unknown scope or a past expiry, Forbidden for rights that the creating token
 * lacks
 */
export function grantToken(
  kind: TokenKind,
  ownerId: string,
  fields: { note?: string | undefined; expiresAt?: string | undefined; scopes?: string[] | undefined },
  { token: creator, ...made }: Pick<Token, 'createdBy' | 'epoch'> & { token: Token; nowMs: number },
) {
  const { note = '', scopes } = fields;
  const unknown = scopes?.find(scope => !isScope(scope));
  if (unknown !== undefined) {
    throw invalidPayload(
      `${unknown} is not a scope. A scope is ${GROUPS.slice(0, -1).join(', ')} or ${GROUPS.at(-1)}, alone or followed by :read or :<operation>.`,
      'scopes',
    );
  }
  const expiresAtMs = fields.expiresAt === undefined ? undefined : Date.parse(fields.expiresAt);
  if (expiresAtMs !== undefined && expiresAtMs <= made.nowMs)
    throw invalidPayload('Must be in the future.', 'expiresAt');
  if (!mayGrant(creator.scopes, scopes)) {
    throw new ApiError('Forbidden', 'A token cannot create a token with scopes beyond its own.');
  }
  if ((expiresAtMs ?? Number.POSITIVE_INFINITY) > (rightsEndOf(creator) ?? Number.POSITIVE_INFINITY)) {
    throw new ApiError('Forbidden', 'A token cannot create a token that outlives it. Set an earlier expiresAt.');
  }
  // Keys of bots and integrations are limited by their owner.
  const limitedTo = kind === 'pat' ? creator.limitedTo : undefined;
  return mintToken(kind, ownerId, { note, scopes, expiresAtMs, limitedTo, ...made });
}

/** Returns a key and its owner by the key's id. @throws ApiError ResourceNotFound */
export async function requireKey(kind: KeyKind, id: string): Promise<{ ownerId: string; token: Token }> {
  const ownerId = ownerOfTokenId(kind, id);
  const token = ownerId && (await listTokens(kind, ownerId)).find(each => each.id === id);
  if (!ownerId || !token) throw notFound(`The key ${id}`);
  return { ownerId, token };
}
