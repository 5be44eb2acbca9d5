/**
 * A request for each operation of the admin group that succeeds for an authorised caller. An operation without one does
 * not compile.
 */

import { randomUUID } from 'node:crypto';
import type * as adminOperations from '#functions/admin/index.ts';
import { clock } from '#shared/core/clock.ts';
import { transfersPk } from '#shared/storage/dynamodb/keys/transfers.ts';
import { type IdentityProvider, startIdentityProvider } from '#test/support/identityProvider.ts';
import { type AdminClient, newSession, newWorkspace, type TestWorkspace } from '#test/support/platform.ts';
import { partitionItems } from '#test/support/tableItems.ts';

export type AdminOperation = keyof typeof adminOperations;

export interface AdminRequest {
  path: string;
  body?: unknown;
}

/** The target of a request. */
interface RequestScope {
  workspace: TestWorkspace;
  /** Client of the caller that is to succeed, or the owner's. */
  client: AdminClient;
  /** Bot and integration whose keys are among the callers. */
  botId: string;
  integrationId: string;
}

const email = () => `${randomUUID()}@example.com`;
const name = () => `n${randomUUID().slice(0, 12)}`;
const newBot = async ({ workspace }: RequestScope) => (await workspace.owner.client.createBot({})).bot.id;
const newIntegration = async ({ workspace }: RequestScope, fields = {}) =>
  (await workspace.owner.client.createIntegration({ name: name(), version: '1.0.0', ...fields })).integration.id;
const newInterface = async ({ workspace }: RequestScope, fields = {}) =>
  (await workspace.owner.client.createInterface({ name: name(), version: '1.0.0', ...fields })).interface;
const newPlugin = async ({ workspace }: RequestScope, fields = {}) =>
  (
    await workspace.owner.client.createPlugin({
      name: name(),
      version: '1.0.0',
      code: { node: 'node', browser: 'browser' },
      ...fields,
    })
  ).plugin;
const IN_HUB = { public: true };
const invited = async ({ workspace }: RequestScope) =>
  (await workspace.owner.client.createWorkspaceMember({ email: email(), role: 'viewer' })).id;
const invitation = async (workspace: TestWorkspace): Promise<string> =>
  (await workspace.call('POST', '/workspace-members', { body: { email: email(), role: 'viewer' } })).body.inviteToken;

let provider: Promise<IdentityProvider> | undefined;
/** Ends with the process. */
function identityProvider(): Promise<IdentityProvider> {
  provider ??= startIdentityProvider();
  return provider;
}

async function providerFields() {
  const { issuer, clientId, clientSecret, people } = await identityProvider();
  people.eve = { email: 'eve@example.com', name: 'Eve' };
  return { issuer, clientId, clientSecret, defaultRole: 'viewer' };
}

async function configured(workspace: TestWorkspace): Promise<string> {
  const path = `/workspaces/${workspace.id}/single-sign-on`;
  await workspace.call('PUT', path, { body: await providerFields() });
  return path;
}

const shared = async ({ workspace, botId, integrationId }: RequestScope) => {
  await workspace.owner.client.createIntegrationShareableId({ botId, integrationId });
  return `/bots/${botId}/integrations/${integrationId}/shareable-id`;
};

/** The content of the widget of a new bot's chat. */
async function widgetPath(scope: RequestScope): Promise<string> {
  const { client } = scope.workspace.owner;
  const id = await newBot(scope);
  const { integration } = await client.createIntegration({ name: 'chat', version: `0.0.${clock.now()}` });
  const { bot } = await client.updateBot({
    id,
    integrations: { chat: { integrationId: integration.id, enabled: true } },
  });
  return `/bots/${id}/widgets/${bot.integrations.chat!.webhookId}`;
}

/** A version of a new bot that has an endpoint. */
async function newVersion(scope: RequestScope): Promise<{ id: string; versionId: string }> {
  const { client } = scope.workspace.owner;
  const { bot } = await client.createBot({ url: 'http://127.0.0.1:9' });
  return { id: bot.id, versionId: (await client.createBotVersion({ id: bot.id, name: 'First' })).version.id };
}

/** Deletes earlier exports, because a workspace has one at a time and a few a day. */
async function exportsEnded({ id }: TestWorkspace): Promise<void> {
  const { removeAll } = await import('#shared/storage/dynamodb/engine/partitionCleanup.ts');
  const items = await partitionItems(transfersPk(id));
  await removeAll(items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
}

async function newExportOf(workspace: TestWorkspace): Promise<string> {
  await exportsEnded(workspace);
  return (await workspace.call('POST', `/workspaces/${workspace.id}/exports`, { body: {} })).body.export.id;
}

/** Returns the current day, the only one with logs. Earlier tests of the worker may have advanced the clock. */
const today = () => new Date(clock.now()).toISOString().slice(0, 10);

export const ADMIN_REQUESTS: Record<AdminOperation, (scope: RequestScope) => Promise<AdminRequest> | AdminRequest> = {
  getAccount: () => ({ path: '/account/me' }),
  updateAccount: () => ({ path: '/account/me', body: { displayName: 'Ada' } }),
  listPersonalAccessTokens: () => ({ path: '/account/pats' }),
  createPersonalAccessToken: () => ({ path: '/account/pats', body: { note: 'n' } }),
  deletePersonalAccessToken: async ({ client }) => ({
    path: `/account/pats/${(await client.createPersonalAccessToken({ note: 'n' })).pat.id}`,
  }),
  createSession: () => ({ path: '/account/sessions', body: { note: 'n' } }),
  listSessions: () => ({ path: '/account/sessions' }),
  deleteSession: async ({ client }) => ({
    path: `/account/sessions/${(await newSession(`${client.config.headers.Authorization}`.slice('Bearer '.length))).id}`,
  }),
  getAccountPreference: () => ({ path: '/account/preferences/k' }),
  setAccountPreference: () => ({ path: '/account/preferences/k', body: { value: 1 } }),
  introspect: ({ botId }) => ({ path: '/introspect', body: { botId } }),

  listWorkspaces: () => ({ path: '/workspaces' }),
  createWorkspace: () => ({ path: '/workspaces', body: { name: 'New' } }),
  getWorkspace: ({ workspace }) => ({ path: `/workspaces/${workspace.id}` }),
  updateWorkspace: ({ workspace }) => ({ path: `/workspaces/${workspace.id}`, body: { about: 'x' } }),
  deleteWorkspace: ({ workspace }) => ({ path: `/workspaces/${workspace.id}` }),
  checkHandleAvailability: () => ({ path: '/workspaces/handle-availability', body: { handle: name() } }),
  listPublicWorkspaces: () => ({ path: '/workspaces/public' }),
  getPublicWorkspace: async ({ workspace }) => {
    await workspace.owner.client.updateWorkspace({ id: workspace.id, isPublic: true });
    return { path: `/workspaces/${workspace.id}/public` };
  },
  getWorkspacePreference: () => ({ path: '/workspaces/preferences/k' }),
  setWorkspacePreference: () => ({ path: '/workspaces/preferences/k', body: { value: 1 } }),
  exportWorkspace: async ({ workspace }) => {
    await exportsEnded(workspace);
    return { path: `/workspaces/${workspace.id}/exports`, body: {} };
  },
  getWorkspaceExport: async ({ workspace }) => ({
    path: `/workspaces/${workspace.id}/exports/${await newExportOf(workspace)}`,
  }),
  getAuditRecords: ({ workspace }) => ({ path: `/workspaces/${workspace.id}/audit-records` }),
  listWorkspaceUsages: ({ workspace }) => ({ path: `/workspaces/${workspace.id}/usages?type=bot_count` }),
  breakDownWorkspaceUsageByBot: ({ workspace }) => ({
    path: `/workspaces/${workspace.id}/usages/by-bot?type=bot_count`,
  }),
  getWorkspaceQuota: ({ workspace }) => ({ path: `/workspaces/${workspace.id}/quota?type=bot_count` }),
  listWorkspaceQuotas: ({ workspace }) => ({ path: `/workspaces/${workspace.id}/quotas` }),
  getUsage: ({ workspace }) => ({ path: `/usages/${workspace.id}?type=bot_count` }),
  getMultipleUsages: ({ workspace }) => ({ path: `/usages/multiple?types=bot_count&ids=${workspace.id}` }),
  listUsageHistory: ({ workspace }) => ({ path: `/usages/${workspace.id}/history?type=bot_count` }),

  listWorkspaceMembers: () => ({ path: '/workspace-members' }),
  getWorkspaceMember: () => ({ path: '/workspace-members/me' }),
  createWorkspaceMember: () => ({ path: '/workspace-members', body: { email: email(), role: 'viewer' } }),
  updateWorkspaceMember: async scope => ({
    path: `/workspace-members/${await invited(scope)}`,
    body: { role: 'developer' },
  }),
  deleteWorkspaceMember: async scope => ({ path: `/workspace-members/${await invited(scope)}` }),
  acceptInvitation: async ({ workspace }) => ({
    path: '/invitations/accept',
    body: { inviteToken: await invitation(workspace) },
  }),
  joinWorkspace: async () => ({
    path: '/invitations/join',
    body: { inviteToken: await invitation(await newWorkspace()) },
  }),
  requestBodyUpload: () => ({ path: '/body-uploads', body: { size: 10 } }),

  listBots: () => ({ path: '/bots' }),
  getBot: ({ botId }) => ({ path: `/bots/${botId}` }),
  getBotLogs: ({ botId }) => ({ path: `/bots/${botId}/logs?timeStart=${today()}T00:00:00Z` }),
  getBotAnalytics: ({ botId }) => ({ path: `/bots/${botId}/analytics?startDate=${today()}&endDate=${today()}` }),
  getBotWebchat: async scope => {
    const { client } = scope.workspace.owner;
    const id = await newBot(scope);
    const version = `0.0.${clock.now()}`;
    const { integration } = await client.createIntegration({ name: 'webchat', version });
    await client.updateBot({ id, integrations: { webchat: { integrationId: integration.id, enabled: true } } });
    return { path: `/bots/${id}/webchat?type=preconfigured` };
  },
  getBotWidget: async scope => ({ path: await widgetPath(scope) }),
  setBotWidget: async scope => ({ path: await widgetPath(scope), body: { settings: {}, version: 0 } }),
  createBot: () => ({ path: '/bots', body: {} }),
  updateBot: ({ botId }) => ({ path: `/bots/${botId}`, body: { description: 'x' } }),
  createBotVersion: async scope => ({
    path: `/bots/${(await newVersion(scope)).id}/versions`,
    body: { name: 'Second' },
  }),
  listBotVersions: ({ botId }) => ({ path: `/bots/${botId}/versions` }),
  getBotVersion: async scope => {
    const { id, versionId } = await newVersion(scope);
    return { path: `/bots/${id}/versions/${versionId}` };
  },
  deployBotVersion: async scope => {
    const { id, versionId } = await newVersion(scope);
    return { path: `/bots/${id}/versions/deploy`, body: { versionId } };
  },
  updateBotDeliveries: ({ botId }) => ({ path: `/bots/${botId}/deliveries`, body: { attempts: 5 } }),
  replayBotEvents: async scope => {
    const id = await newBot(scope);
    await scope.workspace.owner.client.updateBot({ id, url: 'http://127.0.0.1:1' });
    return { path: `/bots/${id}/events/replay`, body: {} };
  },
  listBotEndpoints: ({ botId }) => ({ path: `/bots/${botId}/endpoints` }),
  retryBotEndpoint: async scope => ({ path: `/bots/${await newBot(scope)}/endpoints/retry`, body: {} }),
  listDeadLetters: ({ botId }) => ({ path: `/bots/${botId}/parked` }),
  redriveDeadLetters: ({ botId }) => ({ path: `/bots/${botId}/parked/redrive`, body: {} }),
  rotateBotSigningSecrets: ({ botId }) => ({ path: `/bots/${botId}/signing-secrets/rotate`, body: {} }),
  deleteBot: async scope => ({ path: `/bots/${await newBot(scope)}` }),
  transferBot: async scope => ({
    path: `/bots/${await newBot(scope)}/transfer`,
    body: { targetWorkspaceId: (await scope.client.createWorkspace({ name: 'There' })).id },
  }),
  listBotApiKeys: ({ botId }) => ({ path: `/bots/baks?botId=${botId}` }),
  createBotApiKey: ({ botId }) => ({ path: '/bots/baks', body: { botId } }),
  deleteBotApiKey: async ({ workspace, botId }) => ({
    path: `/bots/baks/${(await workspace.owner.client.createBotApiKey({ botId })).id}`,
  }),

  createOAuthState: ({ botId, integrationId }) => ({
    path: `/bots/${botId}/integrations/${integrationId}/oauth-state`,
    body: {},
  }),
  createIntegrationShareableId: ({ botId, integrationId }) => ({
    path: `/bots/${botId}/integrations/${integrationId}/shareable-id`,
    body: {},
  }),
  getIntegrationShareableId: async scope => ({ path: await shared(scope) }),
  deleteIntegrationShareableId: async scope => ({ path: await shared(scope) }),

  validateIntegrationCreation: () => ({ path: '/integrations/validate', body: { name: name(), version: '1.0.0' } }),
  validateIntegrationUpdate: ({ integrationId }) => ({
    path: `/integrations/${integrationId}/validate`,
    body: { title: 'x' },
  }),
  listIntegrations: () => ({ path: '/integrations' }),
  getIntegration: ({ integrationId }) => ({ path: `/integrations/${integrationId}` }),
  getIntegrationByName: async ({ workspace, integrationId }) => {
    const { integration } = await workspace.owner.client.getIntegration({ id: integrationId });
    return { path: `/integrations/${integration.name}/${integration.version}` };
  },
  getIntegrationLogs: ({ integrationId }) => ({
    path: `/integrations/${integrationId}/logs?timeStart=${today()}T00:00:00Z`,
  }),
  createIntegration: () => ({ path: '/integrations', body: { name: name(), version: '1.0.0' } }),
  updateIntegration: ({ integrationId }) => ({ path: `/integrations/${integrationId}`, body: { title: 'x' } }),
  rotateIntegrationSigningSecrets: ({ integrationId }) => ({
    path: `/integrations/${integrationId}/signing-secrets/rotate`,
    body: {},
  }),
  deleteIntegration: async scope => ({ path: `/integrations/${await newIntegration(scope)}` }),
  listIntegrationApiKeys: ({ integrationId }) => ({ path: `/integrations/iaks?integrationId=${integrationId}` }),
  createIntegrationApiKey: ({ integrationId }) => ({ path: '/integrations/iaks', body: { integrationId } }),
  deleteIntegrationApiKey: async ({ workspace, integrationId }) => ({
    path: `/integrations/iaks/${(await workspace.owner.client.createIntegrationApiKey({ integrationId })).id}`,
  }),

  listInterfaces: () => ({ path: '/interfaces' }),
  getInterface: async scope => ({ path: `/interfaces/${(await newInterface(scope)).id}` }),
  getInterfaceByName: async scope => ({ path: `/interfaces/${(await newInterface(scope)).name}/latest` }),
  createInterface: () => ({ path: '/interfaces', body: { name: name(), version: '1.0.0' } }),
  updateInterface: async scope => ({ path: `/interfaces/${(await newInterface(scope)).id}`, body: { title: 'x' } }),
  deleteInterface: async scope => ({ path: `/interfaces/${(await newInterface(scope)).id}` }),

  listPlugins: () => ({ path: '/plugins' }),
  getPlugin: async scope => ({ path: `/plugins/${(await newPlugin(scope)).id}` }),
  getPluginByName: async scope => ({ path: `/plugins/${(await newPlugin(scope)).name}/latest` }),
  getPluginCode: async scope => ({ path: `/plugins/${(await newPlugin(scope)).id}/code/node` }),
  getDereferencedPlugin: async scope => ({
    path: `/plugins/${(await newPlugin(scope)).id}/dereferenced?interfaces={}`,
  }),
  createPlugin: () => ({
    path: '/plugins',
    body: { name: name(), version: '1.0.0', code: { node: 'node', browser: 'browser' } },
  }),
  updatePlugin: async scope => ({ path: `/plugins/${(await newPlugin(scope)).id}`, body: { title: 'x' } }),
  deletePlugin: async scope => ({ path: `/plugins/${(await newPlugin(scope)).id}` }),

  listPublicIntegrations: () => ({ path: '/hub/integrations' }),
  getPublicIntegrationById: async scope => ({ path: `/hub/integrations/${await newIntegration(scope, IN_HUB)}` }),
  getPublicIntegration: async scope => {
    const published = { name: name(), public: true };
    await newIntegration(scope, published);
    return { path: `/hub/integrations/${published.name}/latest` };
  },
  listPublicInterfaces: () => ({ path: '/hub/interfaces' }),
  getPublicInterfaceById: async scope => ({ path: `/hub/interfaces/${(await newInterface(scope, IN_HUB)).id}` }),
  getPublicInterface: async scope => ({ path: `/hub/interfaces/${(await newInterface(scope, IN_HUB)).name}/latest` }),
  listPublicPlugins: () => ({ path: '/hub/plugins' }),
  getPublicPluginById: async scope => ({ path: `/hub/plugins/${(await newPlugin(scope, IN_HUB)).id}` }),
  getPublicPlugin: async scope => ({ path: `/hub/plugins/${(await newPlugin(scope, IN_HUB)).name}/latest` }),
  getPublicPluginCode: async scope => ({ path: `/hub/plugins/${(await newPlugin(scope, IN_HUB)).id}/code/node` }),
  getDereferencedPublicPluginById: async scope => ({
    path: `/hub/plugins/${(await newPlugin(scope, IN_HUB)).id}/dereferenced?interfaces={}`,
  }),
  inspectInvitation: async ({ workspace }) => ({
    path: '/invitations/inspect',
    body: { inviteToken: await invitation(workspace) },
  }),
  renewInvitation: async scope => ({ path: `/workspace-members/${await invited(scope)}/invitation` }),
  createMemberSignInLink: async ({ workspace }) => ({
    path: `/workspace-members/${(await workspace.join('viewer')).memberId}/sign-in-link`,
  }),
  getSingleSignOn: ({ workspace }) => ({ path: `/workspaces/${workspace.id}/single-sign-on` }),
  setSingleSignOn: async ({ workspace }) => ({
    path: `/workspaces/${workspace.id}/single-sign-on`,
    body: await providerFields(),
  }),
  deleteSingleSignOn: async ({ workspace }) => ({ path: await configured(workspace) }),
  startSingleSignOn: async ({ workspace }) => {
    await configured(workspace);
    const { redirectUri } = await identityProvider();
    return { path: '/single-sign-on/start', body: { workspace: workspace.id, redirectUri } };
  },
  finishSingleSignOn: async ({ workspace }) => {
    await configured(workspace);
    const provider = await identityProvider();
    const { body } = await workspace.call('POST', '/single-sign-on/start', {
      token: '',
      body: { workspace: workspace.id, redirectUri: provider.redirectUri },
    });
    return { path: '/single-sign-on/finish', body: Object.fromEntries(await provider.signIn(body.url, 'eve')) };
  },
};
