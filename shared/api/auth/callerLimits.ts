import { ApiError } from '#shared/core/errors.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import { rightsEndOf, type Token } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { GROUPS, mayGrant } from './scopes.ts';

/** Only owners change the role owner. @throws ApiError Forbidden */
export function requireRank(own: Role, other: Role): void {
  if (other === 'owner' && own !== 'owner') {
    throw new ApiError('Forbidden', 'Only an owner may grant, change or remove the role owner.');
  }
}

/** @throws ApiError Forbidden when the permission is `own` and the record belongs to someone else */
export function requireOwn(call: { isLimitedToOwn: boolean }, isOwn: boolean): void {
  if (call.isLimitedToOwn && !isOwn) {
    throw new ApiError('Forbidden', 'Your role allows this only for resources you created, or for yourself.');
  }
}

/**
 * Prevents a limited token from granting access beyond its limits.
 * @param what the changed field that grants access, such as deployed code or an installation
 * @throws ApiError Forbidden when the token expires, or has scopes that are not all groups
 */
export function requireUnlimited(token: Token, what: string | undefined): void {
  if (what === undefined || (rightsEndOf(token) === undefined && mayGrant(token.scopes, GROUPS))) return;
  throw new ApiError(
    'Forbidden',
    `The change of ${what} grants access beyond this token's limits. Use a token without expiry, and without scopes or with those of all groups (${GROUPS.join(', ')}).`,
  );
}
