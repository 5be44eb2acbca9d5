/**
 * Authorisation matrix of the group admin: every operation × every principal and role. The table of permissions
 * determines the expected status.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { type Actor, ruleOf } from '#shared/api/permissions.ts';
import { ROLES, type Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import {
  type AdminClient,
  apiBaseUrl,
  call,
  isLeftOut,
  newBotWithIntegration,
  newExpiredToken,
  newRevokedToken,
  newScopedToken,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();

const NOBODIES = [
  'no token',
  'garbage token',
  'expired token',
  'revoked token',
  'token with scopes for other operations',
  'unknown workspace',
  'not a member',
] as const;
type Caller = (typeof NOBODIES)[number] | Actor;
const CALLERS: readonly Caller[] = isLeftOut('roles')
  ? ['no token', 'bot', 'viewer', 'owner']
  : [...NOBODIES, 'bot', 'integration', ...ROLES];

let workspace: TestWorkspace;
let stranger: TestWorkspace;
let botId: string;
let integrationId: string;
let tokens: Record<Actor, string>;
/** Tokens of the owner. */
let expired: string;
let revoked: string;
let scoped: string;

beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  const { bot, integration } = await newBotWithIntegration(workspace);
  const { client, token: owner } = workspace.owner;
  const others = ROLES.filter(role => role !== 'owner');
  const members = await Promise.all(others.map(async role => [role, (await workspace.join(role)).token]));
  const [botKey, integrationKey] = await Promise.all([
    client.createBotApiKey({ botId: bot.id }),
    client.createIntegrationApiKey({ integrationId: integration.id }),
  ]);
  expired = await newExpiredToken(workspace);
  revoked = isLeftOut('clock') ? '' : await newRevokedToken(workspace);
  scoped = await newScopedToken(workspace, ['files:listFiles']);
  tokens = { ...Object.fromEntries(members), owner, bot: botKey.value, integration: integrationKey.value };
  botId = bot.id;
  integrationId = integration.id;
});

/** Operations about the caller, for which `own` succeeds. */
const ABOUT_ONESELF = new Set<string>(['introspect', 'getBot'] satisfies AdminOperation[]);
/** Operations that accept any token, and then require an account. */
const FOR_ACCOUNTS = new Set<string>(['joinWorkspace', 'createSession', 'deleteSession'] satisfies AdminOperation[]);
/** Operations of {@link FOR_ACCOUNTS} that check the scopes of a token. */
const LIMITED_BY_SCOPES = new Set<string>(['joinWorkspace', 'deleteSession'] satisfies AdminOperation[]);

/** Callers that may call no operation which accepts an uploaded body. */
const MAY_NOT_UPLOAD: readonly Caller[] = [
  'integration',
  'viewer',
  'billing',
  'agent',
  'token with scopes for other operations',
];

function expectedOf({ group, name, scope }: PlatformOperation, caller: Caller): 'success' | 401 | 403 {
  if (scope === 'public') return 'success';
  if (['no token', 'garbage token', 'expired token', 'revoked token'].includes(caller)) return 401;
  if (name === 'requestBodyUpload' && MAY_NOT_UPLOAD.includes(caller)) return 403;
  if (caller === 'token with scopes for other operations') {
    // A scope names an operation with a row in the table of permissions.
    return scope === 'token' && !LIMITED_BY_SCOPES.has(name) ? 'success' : 403;
  }
  if (scope === 'token') {
    return FOR_ACCOUNTS.has(name) && (caller === 'bot' || caller === 'integration') ? 403 : 'success';
  }
  if (caller === 'unknown workspace') return 401;
  if (caller === 'not a member') return 403;
  const right = ruleOf(group, name)[caller as Actor];
  return right === 'yes' || (right === 'own' && ABOUT_ONESELF.has(name)) ? 'success' : 403;
}

const requestOf = async ({ name }: PlatformOperation, client: AdminClient) =>
  ADMIN_REQUESTS[name as AdminOperation]({ workspace, client, botId, integrationId });

/** Rejected requests have no effect, so all rejected callers send the same one. */
const refusedRequests = new Map<string, ReturnType<typeof requestOf>>();
function refusedRequestOf(operation: PlatformOperation) {
  const request = refusedRequests.get(operation.name) ?? requestOf(operation, workspace.owner.client);
  refusedRequests.set(operation.name, request);
  return request;
}

const isRole = (caller: Caller): caller is Role => (ROLES as readonly string[]).includes(caller);

// botPermissions.test.ts covers operations about a bot.
const operations = (platformApi.operations as readonly PlatformOperation[]).filter(({ group }) => group === 'admin');
// Last, because it deletes the scenario's workspace.
const inOrder = [
  ...operations.filter(({ name }) => name !== 'deleteWorkspace'),
  ...operations.filter(({ name }) => name === 'deleteWorkspace'),
];

describe.each(inOrder.map((operation, i) => ({ operation, name: operation.name, i })))('$name', ({ operation, i }) => {
  it.each(sampled(CALLERS, 3, i))('applies its permissions to %s', async caller => {
    const expected = expectedOf(operation, caller);
    const own = isRole(caller) ? workspace.clientOf(tokens[caller]) : workspace.owner.client;
    const client = caller === 'not a member' ? stranger.owner.client : own;
    const request = await (expected === 'success' ? requestOf(operation, client) : refusedRequestOf(operation));
    const token = {
      'no token': undefined,
      'garbage token': 'bp_pat_garbage',
      'expired token': expired,
      'revoked token': revoked,
      'token with scopes for other operations': scoped,
      'unknown workspace': workspace.owner.token,
      'not a member': stranger.owner.token,
      ...tokens,
    }[caller];

    const answer = await call(`${apiBaseUrl()}/v1/admin${request.path}`, {
      method: operation.method,
      token,
      workspaceId: caller === 'unknown workspace' ? 'wkspace_0000000000000000000000' : workspace.id,
      body: request.body,
    });

    if (expected === 'success') {
      expect(operation.statuses, JSON.stringify(answer.body)).toContain(answer.status);
    } else {
      expect({ status: answer.status, type: answer.body.type }).toEqual({
        status: expected,
        type: expected === 401 ? 'Unauthorized' : 'Forbidden',
      });
    }
  });
});
