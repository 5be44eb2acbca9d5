/**
 * Who calls the platform's interfaces, where, and whether he may: one read when the function is cold, none when it has
 * seen him within half a minute. Grants take effect at once, because a refusal is never given from memory; what is
 * revoked ends within that half minute.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayVariable, pathVariables } from '#shared/api/operation.ts';
import type { PlatformOperation, Principal } from '#shared/api/platform/operation.ts';
import { header } from '#shared/api/steps/startCall.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { accountKey, botKey, integrationKey } from '#shared/dynamodb/keys/workspace.ts';
import { type Item, readItems } from '#shared/dynamodb/query.ts';
import { type Account, parseAccount } from '#shared/dynamodb/workspace/accounts.ts';
import { type Bot, type Installation, parseBot } from '#shared/dynamodb/workspace/bots.ts';
import { isUseNews, parseTokenItem, recordUse, type Token, tokenKeyOf } from '#shared/dynamodb/workspace/tokens.ts';
import { bearerToken, isSameHash, parseToken } from '#shared/dynamodb/workspace/tokenValue.ts';
import { findWorkspace } from '#shared/dynamodb/workspace/workspaces.ts';
import { ApiError, invalidPayload, notFound } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import { type Right, type Role, ruleOf } from './permissions.ts';
import { isInScope } from './scopes.ts';

/** What becomes known of a call; which of it depends on the operation's scope. */
export interface Identity {
  principal: Principal;
  token: Token;
  workspaceId?: string;
  role?: Role;
  account?: Account;
  isLimitedToOwn?: boolean;
  botId?: string;
  bot?: Bot;
  installation?: Installation;
  /** Settles when the use of the token is kept, where that was worth a write. */
  useRecorded?: Promise<void>;
}

const CACHE_MS = 30_000;
const CACHED_ITEMS = 2_000;
const cache = new Map<string, { item: Item; untilMs: number }>();

/** What an item says, worked out once for as long as it is remembered. */
function once<T extends object>(parse: (item: Item) => T): (item: Item) => T {
  const parsed = new WeakMap<Item, T>();
  return item => {
    const known = parsed.get(item);
    if (known) return known;
    const value = parse(item);
    parsed.set(item, value);
    return value;
  };
}
const tokenOf = once(parseTokenItem);
const accountOf = once(parseAccount);
const botOf = once(parseBot);

/** Items by key, remembered ones first. Absence is not remembered. @returns also whether memory was asked */
async function recall(keys: readonly Key[], nowMs: number, isFresh: boolean) {
  const names = keys.map(({ pk, sk }) => `${pk} ${sk}`);
  const known = names.map(name => {
    const entry = isFresh ? undefined : cache.get(name);
    return entry && entry.untilMs > nowMs ? entry.item : undefined;
  });
  const missing = keys.filter((_, i) => !known[i]);
  const read = missing.length > 0 ? await readItems(missing) : [];
  let next = 0;
  const items = known.map((item, i) => {
    if (item) return item;
    const found = read[next++];
    if (!found) {
      cache.delete(names[i]!);
      return undefined;
    }
    if (cache.size >= CACHED_ITEMS) cache.clear();
    cache.set(names[i]!, { item: found, untilMs: nowMs + CACHE_MS });
    return found;
  });
  return { items, isFromMemory: missing.length < keys.length };
}

/**
 * @throws ApiError Unauthorized for whoever is nobody, Forbidden for whoever may not (each as the specification's
 * *Authentication* and FACTS' decisions say)
 */
export async function identify(
  operation: PlatformOperation,
  event: APIGatewayProxyEvent,
  nowMs: number,
): Promise<Identity> {
  const claim = credentialsOf(operation, event);
  const keys = keysOf(claim);
  const remembered = await recall(keys, nowMs, false);
  try {
    return await verify(operation, claim, remembered.items, nowMs);
  } catch (error) {
    if (!(error instanceof ApiError) || !remembered.isFromMemory) throw error;
    return verify(operation, claim, (await recall(keys, nowMs, true)).items, nowMs);
  }
}

/** What a request says of itself. */
interface Credentials {
  kind: 'pat' | 'bak' | 'iak';
  ownerId: string;
  hash: string;
  /** Of the header, and of the path where the operation is about a workspace that is named there. */
  workspaceId: string | undefined;
  pathWorkspaceId: string | undefined;
  botId: string | undefined;
  integrationId: string | undefined;
  alias: string | undefined;
}

const invalidToken = () => new ApiError('Unauthorized', 'The token is not valid.');

function credentialsOf(operation: PlatformOperation, event: APIGatewayProxyEvent): Credentials {
  const parsed = parseToken(bearerToken(header(event, 'authorization')));
  if (!parsed) throw invalidToken();
  const { scope, workspaceIn, path } = operation;
  const isInWorkspace = scope === 'account' || scope === 'workspace';
  const workspaceId = isInWorkspace ? header(event, 'x-workspace-id')?.trim() : undefined;
  if (isInWorkspace && !workspaceId) throw new ApiError('Unauthorized', 'The header x-workspace-id is missing.');
  const botId = scope === 'bot' ? header(event, 'x-bot-id')?.trim() : undefined;
  if (scope === 'bot' && !botId) throw invalidPayload('The header x-bot-id is missing.', 'x-bot-id');
  return {
    ...parsed,
    workspaceId,
    pathWorkspaceId: workspaceIn && event.pathParameters?.[gatewayVariable(pathVariables(path).indexOf(workspaceIn))],
    botId,
    integrationId: header(event, 'x-integration-id')?.trim() || undefined,
    alias: header(event, 'x-integration-alias')?.trim() || undefined,
  };
}

/** All that decides, in one read: the token, whose it is, and the bot that the call is about. */
function keysOf({ kind, ownerId, hash, botId }: Credentials): Key[] {
  const owner = { pat: accountKey, bak: botKey, iak: integrationKey }[kind](ownerId);
  const isBotToRead = botId !== undefined && isUuid(botId) && !(kind === 'bak' && botId === ownerId);
  return [tokenKeyOf(kind, ownerId, hash), owner, ...(isBotToRead ? [botKey(botId)] : [])];
}

async function verify(
  operation: PlatformOperation,
  claim: Credentials,
  [tokenItem, owner, botItem]: (Item | undefined)[],
  nowMs: number,
): Promise<Identity> {
  const token = tokenItem && tokenOf(tokenItem);
  if (!token || !owner || !isSameHash(token.hash, claim.hash)) throw invalidToken();
  if (token.expiresAtMs !== undefined && token.expiresAtMs <= nowMs) {
    throw new ApiError('Unauthorized', `The token expired at ${new Date(token.expiresAtMs).toISOString()}.`);
  }
  const ownBot = claim.kind === 'bak' ? botOf(owner) : undefined;
  if (ownBot?.deletedAtMs !== undefined) throw invalidToken();
  const principal = principalOf(claim, owner);
  const identity: Identity = {
    principal,
    token,
    ...(await contextOf(operation, claim, principal, ownBot ?? null, botItem)),
  };

  if (operation.scope !== 'token') {
    const right = rightOf(operation, identity);
    if (!right) throw new ApiError('Forbidden', `${whoIs(identity)} may not call ${operation.name}.`);
    identity.isLimitedToOwn = right === 'own';
    if (!isInScope(token.scopes, operation)) {
      throw new ApiError('Forbidden', `The token's scopes do not include ${operation.name}.`);
    }
  }
  if (isUseNews(token, nowMs)) {
    identity.useRecorded = recordUse(claim.kind, claim.ownerId, token, nowMs);
    // What is remembered knows it too, so that the next call does not write again.
    token.lastUsedAtMs = nowMs;
  }
  return identity;
}

function principalOf({ kind, ownerId }: Credentials, owner: Item): Principal {
  if (kind === 'pat') return { kind: 'account', account: accountOf(owner) };
  return kind === 'bak' ? { kind: 'bot', botId: ownerId } : { kind: 'integration', integrationId: ownerId };
}

/** Where the call is about, as far as this caller may know of it. */
async function contextOf(
  { scope, method }: PlatformOperation,
  claim: Credentials,
  principal: Principal,
  ownBot: Bot | null,
  botItem: Item | undefined,
): Promise<Partial<Identity>> {
  if (scope === 'token' || scope === 'nowhere') return {};
  if (scope === 'bot') {
    const bot = ownBot?.id === claim.botId ? ownBot : botItem && botOf(botItem);
    return contextAtBot(claim, principal, bot ?? undefined);
  }

  const workspaceId = claim.workspaceId!;
  if (principal.kind === 'account') {
    const { account } = principal;
    // Being known here is the first thing asked, whichever of his workspaces the call is about.
    if (!account.memberships[workspaceId]) await refuseWorkspace(workspaceId, 'Unauthorized');
    const target = claim.pathWorkspaceId ?? workspaceId;
    const membership = account.memberships[target];
    if (!membership) return refuseWorkspace(target, 'ResourceNotFound');
    // Nothing may come into a workspace that is being deleted; what is still there can be seen.
    if (membership.isEnding && method !== 'GET') throw notFound(`The workspace ${target}`);
    return { account, workspaceId: target, role: membership.role };
  }
  // An integration belongs to no one workspace: whether it may is a question of the bot that the call is about.
  const isHere =
    principal.kind === 'bot' ? ownBot!.workspaceId === workspaceId : (await findWorkspace(workspaceId)) !== undefined;
  if (!isHere) return refuseWorkspace(workspaceId, 'Unauthorized');
  if (scope === 'account') throw new ApiError('Forbidden', 'Only the token of an account may do this.');
  return { workspaceId };
}

/** @throws ApiError Forbidden when there is such a workspace, and otherwise what it means that there is none */
async function refuseWorkspace(workspaceId: string, unknown: 'Unauthorized' | 'ResourceNotFound'): Promise<never> {
  if (await findWorkspace(workspaceId)) throw new ApiError('Forbidden', 'You are not a member of this workspace.');
  throw unknown === 'Unauthorized'
    ? new ApiError('Unauthorized', 'The workspace of the header x-workspace-id is not valid.')
    : new ApiError('ResourceNotFound', `The workspace ${workspaceId} was not found.`);
}

/** A bot that the caller may not see is refused alike whether it exists or not (FACTS, decisions). */
function contextAtBot(
  { integrationId, alias }: Credentials,
  principal: Principal,
  bot: Bot | undefined,
): Partial<Identity> {
  const forbidden = () => new ApiError('Forbidden', 'You have no access to the bot of the header x-bot-id.');
  if (!bot || bot.deletedAtMs !== undefined) throw forbidden();
  const context = { botId: bot.id, bot, workspaceId: bot.workspaceId };
  if (principal.kind === 'account') {
    const membership = principal.account.memberships[bot.workspaceId];
    if (!membership || membership.isEnding) throw forbidden();
    return { ...context, account: principal.account, role: membership.role, ...named(bot, integrationId, alias) };
  }
  if (principal.kind === 'bot') {
    if (principal.botId !== bot.id) throw forbidden();
    return { ...context, ...named(bot, integrationId, alias) };
  }
  const installation = bot.installations.find(
    each =>
      each.isEnabled && each.integrationId === principal.integrationId && (alias === undefined || each.alias === alias),
  );
  const isOwn = integrationId === undefined || integrationId === principal.integrationId;
  if (!installation || !isOwn) throw forbidden();
  return { ...context, installation };
}

/** The installation that an account or bot names in the headers, if any. */
function named(bot: Bot, integrationId: string | undefined, alias: string | undefined): Partial<Identity> {
  if (integrationId === undefined && alias === undefined) return {};
  const installation = bot.installations.find(
    each =>
      (alias === undefined || each.alias === alias) &&
      (integrationId === undefined || each.integrationId === integrationId),
  );
  if (!installation) throw new ApiError('Forbidden', 'This integration is not installed on the bot.');
  return { installation };
}

const rightOf = ({ group, name }: PlatformOperation, { role, principal }: Identity): Right | undefined =>
  ruleOf(group, name)[principal.kind === 'account' ? role! : principal.kind];

const whoIs = ({ role, principal }: Identity) =>
  principal.kind === 'account' ? `A member with the role ${role}` : `The key of ${aOrAn(principal.kind)}`;
const aOrAn = (kind: string) => (kind === 'integration' ? 'an integration' : `a ${kind}`);
