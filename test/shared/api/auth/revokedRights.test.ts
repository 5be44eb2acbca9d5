/**
 * Tests that operations which grant rights immediately reject revoked rights that functions still cache. Generated from
 * the declarations.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteBot } from '#functions/admin/bots/deleteBot.ts';
import { platformApi } from '#infra/gateway/apis.ts';
import { adminOperation, type PlatformOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { findAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import {
  apiBaseUrl,
  call,
  isLeftOut,
  newBotWithIntegration,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';

useSharedPlatform();

/** Written down separately, so that a declaration without its grants fails. */
const GRANTING: readonly AdminOperation[] = [
  'createPersonalAccessToken',
  'deletePersonalAccessToken',
  'createSession',
  'deleteSession',
  'createWorkspace',
  'deleteWorkspace',
  'createWorkspaceMember',
  'updateWorkspaceMember',
  'deleteWorkspaceMember',
  'renewInvitation',
  'createMemberSignInLink',
  'joinWorkspace',
  'setSingleSignOn',
  'deleteSingleSignOn',
  'createBot',
  'updateBot',
  'deployBotVersion',
  'transferBot',
  'createBotApiKey',
  'deleteBotApiKey',
  'rotateBotSigningSecrets',
  'createIntegration',
  'updateIntegration',
  'createIntegrationApiKey',
  'deleteIntegrationApiKey',
  'rotateIntegrationSigningSecrets',
  'createOAuthState',
  'createIntegrationShareableId',
  'deleteIntegrationShareableId',
  'createInterface',
  'updateInterface',
  'createPlugin',
  'updatePlugin',
  'exportWorkspace',
];
/** Operations whose grants have neither scopes nor an expiry. */
const UNLIMITED: readonly AdminOperation[] = [
  'createWorkspaceMember',
  'updateWorkspaceMember',
  'renewInvitation',
  'createMemberSignInLink',
  'joinWorkspace',
  'setSingleSignOn',
  'deleteSingleSignOn',
  'transferBot',
];

/** Operations on the account, which no role of a workspace limits. */
const HAS_NO_ROLE: readonly AdminOperation[] = ['joinWorkspace', 'createSession', 'deleteSession'];

/** Permanent deletions, which a revoked right must not authorise. */
const IRREVERSIBLE: readonly AdminOperation[] = ['deleteBot', 'deleteIntegration', 'deleteInterface', 'deletePlugin'];

const operationOf = (name: AdminOperation) =>
  (platformApi.operations as readonly PlatformOperation[]).find(each => each.group === 'admin' && each.name === name)!;

let workspace: TestWorkspace;
let botId: string;
let integrationId: string;
beforeAll(async () => {
  workspace = await newWorkspace();
  const made = await newBotWithIntegration(workspace);
  botId = made.bot.id;
  integrationId = made.integration.id;
});

/** Returns a request that succeeds for an owner. */
const requestOf = (name: AdminOperation, client = workspace.owner.client) =>
  ADMIN_REQUESTS[name]({ workspace, client, botId, integrationId });

async function send(name: AdminOperation, token: string, request: { path: string; body?: unknown }) {
  const { status, body } = await call(`${apiBaseUrl()}/v1/admin${request.path}`, {
    method: operationOf(name).method,
    token,
    workspaceId: workspace.id,
    body: request.body,
  });
  return { status, type: body.type };
}

/** Makes functions cache the caller. */
const remember = async (token: string) => expect((await workspace.call('GET', '/bots', { token })).status).toBe(200);

it('declares grants for every admin operation that writes', () => {
  const declared = (platformApi.operations as readonly PlatformOperation[])
    .filter(({ grants = 'nothing' }) => grants !== 'nothing')
    .map(({ name }) => name);

  expect(declared.sort()).toEqual([...GRANTING].sort());
  const { grants: _, ...silent } = deleteBot;
  // @ts-expect-error `grants` is missing.
  adminOperation(silent);
});

it('declares every deletion of an admin record irreversible', () => {
  const deletions = (platformApi.operations as readonly PlatformOperation[]).filter(
    ({ group, name, grants }) => group === 'admin' && /^delete/.test(name) && grants === 'nothing',
  );

  expect(deletions.map(({ name, isIrreversible }) => [name, isIrreversible])).toEqual(
    expect.arrayContaining(IRREVERSIBLE.map(name => [name, true])),
  );
  expect(deletions).toHaveLength(IRREVERSIBLE.length);
});

describe.each([...GRANTING, ...IRREVERSIBLE])('%s', name => {
  it('returns 401 to a token that was just revoked', async () => {
    const { pat } = await workspace.owner.client.createPersonalAccessToken({ note: 'leaked' });
    const request = await requestOf(name);
    await remember(pat.value);

    await workspace.owner.client.deletePersonalAccessToken({ id: pat.id });
    const answer = await send(name, pat.value, request);

    expect(answer).toEqual({ status: 401, type: 'Unauthorized' });
  });

  it.skipIf(HAS_NO_ROLE.includes(name) || isLeftOut('roles'))(
    'returns 403 to a member who was just demoted',
    async () => {
      const member = await workspace.join('owner');
      const request = await requestOf(name);
      await remember(member.token);

      await workspace.owner.client.updateWorkspaceMember({ id: member.memberId, role: 'viewer' });
      const answer = await send(name, member.token, request);

      // Every member may create workspaces and personal access tokens, and leave.
      const stays = ['createPersonalAccessToken', 'deletePersonalAccessToken', 'createWorkspace'].includes(name);
      expect(answer).toEqual(stays ? expect.not.objectContaining({ status: 401 }) : { status: 403, type: 'Forbidden' });
    },
  );
});

describe.each(UNLIMITED)('%s', name => {
  it.each([
    ['with scopes', { scopes: ['admin'] }],
    ['that expires', { expiresAt: new Date(clock.now() + 3_600_000).toISOString() }],
  ])('returns 403 to a token %s', async (_, limits) => {
    const { body } = await workspace.call('POST', '/account/pats', { body: { note: 'limited', ...limits } });
    const request = await requestOf(name);

    expect(await send(name, body.pat.value, request)).toEqual({ status: 403, type: 'Forbidden' });
  });
});

describe.skipIf(isLeftOut('faults'))('a right that is revoked between the check and the write', () => {
  /** Runs once before the next transaction. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  documents.middlewareStack.add(
    (next, context) => async args => {
      const act = meanwhile;
      if (act && context.commandName === 'TransactWriteItemsCommand') {
        meanwhile = undefined;
        await act();
      }
      return next(args);
    },
    { step: 'initialize', name: 'meanwhile' },
  );

  it('grants nothing if the token was revoked', async () => {
    const { client } = workspace.owner;
    const { pat } = await client.createPersonalAccessToken({ note: 'leaked' });
    meanwhile = () => client.deletePersonalAccessToken({ id: pat.id });

    const answer = await send('createBotApiKey', pat.value, await requestOf('createBotApiKey'));

    expect(answer).toEqual({ status: 401, type: 'Unauthorized' });
    expect((await client.listBotApiKeys({ botId })).baks.map(({ note }) => note)).not.toContain('leaked');
  });

  it("deletes nothing if the manager's role was revoked", async () => {
    const { client } = workspace.owner;
    const { bot } = await client.createBot({});
    const member = await workspace.join('administrator');
    meanwhile = () => client.updateWorkspaceMember({ id: member.memberId, role: 'viewer' });

    const deleted = await workspace.call('DELETE', `/bots/${bot.id}`, { token: member.token });

    expect(deleted.body).toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await client.getBot({ id: bot.id })).bot.id).toBe(bot.id);
  });

  it('grants nothing if the role was revoked', async () => {
    const { client } = workspace.owner;
    const member = await workspace.join('administrator');
    const body = { role: 'administrator' };
    meanwhile = () => client.updateWorkspaceMember({ id: member.memberId, role: 'viewer' });

    const invited = await workspace.call('POST', '/workspace-members', {
      token: member.token,
      body: { email: 'friend@example.com', ...body },
    });

    expect(invited.body).toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await findAccount(member.accountId))!.memberships[workspace.id]!.role).toBe('viewer');
  });

  it('grants nothing if the caller changes their own membership', async () => {
    const { client } = workspace.owner;
    const member = await workspace.join('administrator');
    meanwhile = () => client.updateWorkspaceMember({ id: member.memberId, role: 'viewer' });

    const promoted = await workspace.call('PUT', `/workspace-members/${member.memberId}`, {
      token: member.token,
      body: { role: 'manager' },
    });

    expect(promoted.body).toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await findAccount(member.accountId))!.memberships[workspace.id]!.role).toBe('viewer');
  });
});
