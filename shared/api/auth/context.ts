import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import { needsConfiguration } from '#shared/outbound/installations/needsConfiguration.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { TokenOwner } from '#shared/storage/dynamodb/callers/callerRecords.ts';
import { type Account, botLimitOf } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import type { Credentials } from './credentials.ts';

interface CallContext {
  workspaceId?: string | undefined;
  role?: Role;
  account?: Account;
  /** Set for an agent who is limited to bots. */
  botLimit?: readonly string[] | undefined;
  botId?: string;
  bot?: Bot;
  installation?: Installation;
}

/** @throws ApiError Unauthorized, Forbidden or ResourceNotFound when the caller has no access */
export async function contextOf(
  operation: PlatformOperation,
  credentials: Credentials,
  owner: TokenOwner,
  bot: Bot | undefined,
): Promise<CallContext> {
  const { scope, method } = operation;
  if (scope === 'token' || scope === 'public') return {};
  if (scope === 'bot') return contextAtBot(credentials, owner, bot);
  if (owner.kind !== 'account') return contextOfKey(credentials, owner, scope);
  if (scope === 'self' && credentials.workspaceId === undefined) return { account: owner.account };
  return contextOfAccount(owner.account, credentials, method);
}

async function contextOfAccount(account: Account, credentials: Credentials, method: string): Promise<CallContext> {
  const workspaceId = credentials.workspaceId!;
  if (!own(account.memberships, workspaceId)) await refuseWorkspace(workspaceId, 'Unauthorized');
  const target = credentials.pathWorkspaceId ?? workspaceId;
  const membership = own(account.memberships, target);
  if (!membership) return refuseWorkspace(target, 'ResourceNotFound');
  // A workspace under deletion is read-only.
  if (membership.isEnding && method !== 'GET') throw notFound(`The workspace ${target}`);
  return { account, workspaceId: target, role: membership.role, botLimit: botLimitOf(membership) };
}

/** A bot's key implies the bot's workspace. An integration's key implies none, because any workspace may install it. */
async function contextOfKey(
  { workspaceId }: Credentials,
  owner: Exclude<TokenOwner, { kind: 'account' }>,
  scope: 'account' | 'self' | 'workspace',
): Promise<CallContext> {
  const ownWorkspaceId = owner.kind === 'bot' ? owner.bot.workspaceId : undefined;
  if (workspaceId === undefined) return { workspaceId: ownWorkspaceId };
  const isHere =
    owner.kind === 'bot' ? ownWorkspaceId === workspaceId : (await findWorkspace(workspaceId)) !== undefined;
  if (!isHere) return refuseWorkspace(workspaceId, 'Unauthorized');
  if (scope !== 'workspace') throw new ApiError('Forbidden', 'This operation requires the token of an account.');
  return { workspaceId };
}

/** @throws ApiError Forbidden when the workspace exists, `ifMissing` otherwise */
async function refuseWorkspace(workspaceId: string, ifMissing: 'Unauthorized' | 'ResourceNotFound'): Promise<never> {
  if (await findWorkspace(workspaceId)) throw new ApiError('Forbidden', 'You are not a member of this workspace.');
  throw ifMissing === 'Unauthorized'
    ? new ApiError('Unauthorized', 'The header x-workspace-id must name an existing workspace.')
    : notFound(`The workspace ${workspaceId}`);
}

/** Returns the same error for missing and inaccessible bots, so that bots cannot be enumerated. */
function contextAtBot({ integrationId, alias }: Credentials, owner: TokenOwner, bot: Bot | undefined): CallContext {
  const forbidden = () => new ApiError('Forbidden', 'You have no access to the bot in the header x-bot-id.');
  if (!bot || bot.deletedAtMs !== undefined) throw forbidden();
  const context = { botId: bot.id, bot, workspaceId: bot.workspaceId };
  if (owner.kind === 'account') {
    const membership = owner.account.memberships[bot.workspaceId];
    if (!membership || membership.isEnding) throw forbidden();
    const botLimit = botLimitOf(membership);
    if (botLimit && !botLimit.includes(bot.id)) throw forbidden();
    return {
      ...context,
      account: owner.account,
      role: membership.role,
      botLimit,
      ...namedInstallation(bot, integrationId, alias),
    };
  }
  if (owner.kind === 'bot') {
    if (owner.bot.id !== bot.id) throw forbidden();
    return { ...context, ...namedInstallation(bot, integrationId, alias) };
  }
  const installation = bot.installations.find(
    each =>
      each.isEnabled && each.integrationId === owner.integrationId && (alias === undefined || each.alias === alias),
  );
  const isOwn = integrationId === undefined || integrationId === owner.integrationId;
  if (!installation || !isOwn) throw forbidden();
  const fault = needsConfiguration(installation);
  if (fault) throw new ApiError('Forbidden', fault.message);
  return { ...context, installation };
}

function namedInstallation(bot: Bot, integrationId: string | undefined, alias: string | undefined): CallContext {
  if (integrationId === undefined && alias === undefined) return {};
  const installation = bot.installations.find(
    each =>
      (alias === undefined || each.alias === alias) &&
      (integrationId === undefined || each.integrationId === integrationId),
  );
  if (!installation) {
    throw new ApiError('Forbidden', 'The integration named in the headers is not installed on this bot.');
  }
  return { installation };
}
