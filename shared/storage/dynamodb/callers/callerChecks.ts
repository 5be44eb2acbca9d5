/**
 * Checks for transactions that grant rights: the caller's token and membership have not changed since they were read.
 */

import { ApiError } from '#shared/core/errors.ts';
import type { Check } from '#shared/storage/dynamodb/engine/transaction.ts';
import { memberKey, singleSignOnKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { type Token, tokenKeyOf } from '#shared/storage/dynamodb/workspace/tokens.ts';
import type { TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';

/** Excludes the expiry, which was checked at the start of the call. */
export const tokenMustExist = (kind: TokenKind, ownerId: string, { id, hash }: Token): Check => ({
  key: tokenKeyOf(kind, ownerId, hash),
  conditions: {
    ConditionExpression: '#callerToken = :callerToken',
    ExpressionAttributeNames: { '#callerToken': 'id' },
    ExpressionAttributeValues: { ':callerToken': id },
  },
  holds: existing => existing?.id === id,
  refusal: () => new ApiError('Unauthorized', 'The token was revoked during the call.'),
});

/** Checks the member record, which is smaller than the account's copy. */
export function memberMustExist({ id, memberships }: Pick<Account, 'id' | 'memberships'>, workspaceId: string): Check {
  const { memberId, role } = memberships[workspaceId]!;
  return {
    key: memberKey(workspaceId, memberId),
    conditions: {
      ConditionExpression: '#callerRole = :callerRole AND #callerAccount = :callerAccount',
      ExpressionAttributeNames: { '#callerRole': 'role', '#callerAccount': 'accountId' },
      ExpressionAttributeValues: { ':callerRole': role, ':callerAccount': id },
    },
    holds: existing => existing?.role === role && existing?.accountId === id,
    refusal: () => new ApiError('Forbidden', 'Your membership of the workspace changed during the call.'),
  };
}

export const singleSignOnMustExist = (workspaceId: string, singleSignOnId: string): Check => ({
  key: singleSignOnKey(workspaceId),
  conditions: {
    ConditionExpression: '#callerSignOn = :callerSignOn',
    ExpressionAttributeNames: { '#callerSignOn': 'id' },
    ExpressionAttributeValues: { ':callerSignOn': singleSignOnId },
  },
  holds: existing => existing?.id === singleSignOnId,
  refusal: () => new ApiError('Unauthorized', 'The single sign-on of the workspace changed during the call.'),
});
