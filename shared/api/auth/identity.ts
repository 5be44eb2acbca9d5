/**
 * Identifies platform callers from records cached for 30 s. Rejections are confirmed by a fresh read, so grants apply
 * immediately. Operations that grant rights or delete permanently always read (docs/api/admin.md#tokens).
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { PlatformOperation, Principal } from '#shared/api/operations/platform.ts';
import { type Right, ruleOf } from '#shared/api/permissions.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import {
  memberMustExist,
  singleSignOnMustExist,
  tokenMustExist,
} from '#shared/storage/dynamodb/callers/callerChecks.ts';
import { type CallerRecords, readCaller, type TokenOwner } from '#shared/storage/dynamodb/callers/callerRecords.ts';
import type { Check } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { ROLES, type Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import {
  endOf,
  isOutdated,
  isUseDue,
  recordUse,
  rightsEndOf,
  type Token,
} from '#shared/storage/dynamodb/workspace/tokens.ts';
import { isSameHash, type TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import { contextOf } from './context.ts';
import { type Credentials, credentialsOf, invalidToken } from './credentials.ts';
import { isInScope } from './scopes.ts';
import { limitOwner, requireWithinLimit } from './workspaceLimit.ts';

export interface Identity {
  principal: Principal;
  token: Token;
  tokenKind: TokenKind;
  workspaceId?: string | undefined;
  role?: Role;
  account?: Account;
  isLimitedToOwn?: boolean;
  botLimit?: readonly string[] | undefined;
  botId?: string;
  bot?: Bot;
  installation?: Installation;
  rights?: readonly Check[];
  useRecorded?: Promise<void>;
}

/** @throws ApiError Unauthorized for an unknown caller, Forbidden without permission (docs/api/admin.md#roles) */
export async function identify(
  operation: PlatformOperation,
  event: APIGatewayProxyEvent,
  nowMs: number,
): Promise<Identity> {
  const credentials = credentialsOf(operation, event);
  const { grants = 'nothing', isIrreversible } = operation;
  const isFresh = grants !== 'nothing' || isIrreversible === true;
  const { records, isFromCache } = await readCaller(credentials, { nowMs, isFresh });
  try {
    return withUse(credentials, await verify(operation, credentials, records, nowMs), nowMs);
  } catch (error) {
    if (!(error instanceof ApiError) || !isFromCache) throw error;
    const fresh = await readCaller(credentials, { nowMs, isFresh: true });
    return withUse(credentials, await verify(operation, credentials, fresh.records, nowMs), nowMs);
  }
}

/** Returns true if a caller could call the operation now. Always reads. */
export async function mayStillCall(
  operation: PlatformOperation,
  credentials: Credentials,
  nowMs: number,
): Promise<boolean> {
  try {
    const { records } = await readCaller(credentials, { nowMs, isFresh: true });
    await verify(operation, credentials, records, nowMs);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function withUse({ kind, ownerId }: Credentials, identity: Identity, nowMs: number): Identity {
  const { token } = identity;
  if (!isUseDue(token, nowMs)) return identity;
  identity.useRecorded = recordUse(kind, ownerId, token, nowMs);
  token.lastUsedAtMs = nowMs;
  return identity;
}

async function verify(
  operation: PlatformOperation,
  credentials: Credentials,
  records: CallerRecords,
  nowMs: number,
): Promise<Identity> {
  const { token, owner: unlimited, bot, grantors } = records;
  if (!token || !unlimited || !isSameHash(token.hash, credentials.hash)) throw invalidToken();
  const endMs = endOf(token);
  if (endMs <= nowMs) throw new ApiError('Unauthorized', `The token expired at ${new Date(endMs).toISOString()}.`);
  const owner = limitOwner(token, unlimited, records);
  if (owner.kind === 'bot' && (owner.bot.deletedAtMs !== undefined || isOutdated(token, owner.bot)))
    throw invalidToken();
  requireWithinLimit(token, operation, {
    workspaceId: credentials.pathWorkspaceId ?? credentials.workspaceId ?? bot?.workspaceId,
  });
  const identity: Identity = {
    principal: principalOf(owner),
    token,
    tokenKind: credentials.kind,
    ...(await contextOf(operation, credentials, owner, bot)),
  };

  if (operation.scope !== 'token') {
    const right = rightOf(operation, identity);
    if (!right) throw new ApiError('Forbidden', `${describe(identity)} may not call ${operation.name}.`);
    identity.isLimitedToOwn = right === 'own';
    if (!isInScope(token.scopes, operation)) {
      throw new ApiError('Forbidden', `The token's scopes do not include ${operation.name}.`);
    }
  }
  const { grants = 'nothing' } = operation;
  if (grants === 'membership' && (token.scopes || rightsEndOf(token) !== undefined)) {
    throw new ApiError(
      'Forbidden',
      `${operation.name} requires a session, or a token without scopes and without expiry, because memberships have neither.`,
    );
  }
  if (dependsOnRights(operation)) identity.rights = rightsOf(credentials, identity, grantors);
  return identity;
}

/** Only admin functions can access memberships. Other groups rely on the fresh read. */
const dependsOnRights = ({ grants = 'nothing', isIrreversible, group }: PlatformOperation) =>
  grants !== 'nothing' || (isIrreversible === true && group === 'admin');

function rightsOf(
  { kind, ownerId }: Credentials,
  { token, principal, account, workspaceId }: Identity,
  grantors: readonly Account[],
): Check[] {
  const { limitedTo } = token;
  const member = account ?? (limitedTo && principal.kind === 'account' ? principal.account : undefined);
  const memberOf = workspaceId ?? limitedTo?.workspaceId;
  return [
    tokenMustExist(kind, ownerId, token),
    ...(member && memberOf !== undefined ? [memberMustExist(member, memberOf)] : []),
    ...(limitedTo
      ? grantors.filter(({ id }) => id !== member?.id).map(each => memberMustExist(each, limitedTo.workspaceId))
      : []),
    ...(limitedTo?.singleSignOnId === undefined
      ? []
      : [singleSignOnMustExist(limitedTo.workspaceId, limitedTo.singleSignOnId)]),
  ];
}

const principalOf = (owner: TokenOwner): Principal =>
  owner.kind === 'bot' ? { kind: 'bot', botId: owner.bot.id } : owner;

function rightOf({ group, name }: PlatformOperation, { role, principal }: Identity): Right | undefined {
  const rule = ruleOf(group, name);
  if (principal.kind !== 'account') return rule[principal.kind];
  if (role) return rule[role];
  // Without a workspace there is no role: the operation must allow every role.
  return ROLES.every(each => rule[each] === 'yes') ? 'yes' : undefined;
}

function describe({ role, principal }: Identity): string {
  if (principal.kind === 'account') return `A member with the role ${role}`;
  return principal.kind === 'bot' ? 'The key of a bot' : 'The key of an integration';
}
