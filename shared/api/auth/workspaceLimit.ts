/**
 * Credentials that are limited to one workspace: those of a sign-in link that a member created for another, those of
 * its single sign-on, and everything that they create (docs/api/admin.md#member-links). The account may belong to
 * workspaces in which the creator of the link, or the identity provider, has no rights.
 */
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { ruleOf } from '#shared/api/permissions.ts';
import { ApiError } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import type { CallerRecords, TokenOwner } from '#shared/storage/dynamodb/callers/callerRecords.ts';
import { onlyIn } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { isAtLeast, type Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import type { Token } from '#shared/storage/dynamodb/workspace/tokens.ts';

/**
 * Operations on the account itself, or on workspaces that it does not belong to yet. Every other operation is limited
 * by the memberships of {@link limitOwner}, or lists only credentials with the same limit.
 */
export const ACCOUNT_OPERATIONS: ReadonlySet<string> = new Set([
  'createWorkspace',
  'getAccountPreference',
  'joinWorkspace',
  'setAccountPreference',
  'updateAccount',
]);

/** Returns true if a member with the role may create a sign-in link for a member with the other role. */
export const mayLink = (own: Role, other: Role): boolean =>
  own in ruleOf('admin', 'createMemberSignInLink') && isAtLeast(own, other);

/**
 * Returns the owner with the one membership to which the token is limited. Creators who lost the right to create the
 * link end everything that came from it.
 * @throws ApiError Unauthorized when the credential has ended
 */
export function limitOwner(
  { limitedTo }: Token,
  owner: TokenOwner,
  { grantors, singleSignOnId }: Pick<CallerRecords, 'grantors' | 'singleSignOnId'>,
): TokenOwner {
  if (!limitedTo || owner.kind !== 'account') return owner;
  const { workspaceId, grantedBy } = limitedTo;
  if (limitedTo.singleSignOnId !== singleSignOnId) {
    throw new ApiError('Unauthorized', 'The single sign-on of the workspace was changed or removed. Sign in again.');
  }
  const membership = own(owner.account.memberships, workspaceId);
  const isGranted = (id: string) => {
    const role = own(grantors.find(each => each.id === id)?.memberships ?? {}, workspaceId)?.role;
    return membership !== undefined && role !== undefined && mayLink(role, membership.role);
  };
  if (membership === undefined || !grantedBy.every(isGranted)) {
    throw new ApiError(
      'Unauthorized',
      grantedBy.length === 0
        ? 'You are no longer a member of the workspace.'
        : 'The sign-in link has ended: its creator or its recipient lost the necessary role. Request a new link.',
    );
  }
  return { kind: 'account', account: onlyIn(owner.account, workspaceId) };
}

/** @throws ApiError Forbidden for an operation outside of the workspace */
export function requireWithinLimit(
  { limitedTo }: Token,
  { name }: PlatformOperation,
  { workspaceId = limitedTo?.workspaceId }: { workspaceId: string | undefined },
): void {
  if (!limitedTo) return;
  if (ACCOUNT_OPERATIONS.has(name)) {
    throw new ApiError(
      'Forbidden',
      `${name} concerns the whole account. This session is limited to one workspace. Sign in with a token of your own.`,
    );
  }
  if (workspaceId !== limitedTo.workspaceId) {
    throw new ApiError('Forbidden', `This session is limited to the workspace ${limitedTo.workspaceId}.`);
  }
}
