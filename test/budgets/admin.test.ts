/**
 * Call budgets of the admin group: the DynamoDB calls of each operation when it is warm, and the cost of
 * authentication, which is one read in a cold function and none in a warm one. An operation without a budget does not
 * compile.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { callOperation } from './callOperation.ts';
import { counted } from './counter.ts';

useSharedPlatform();

/** One transaction if the operation writes, plus its reads. */
const BUDGETS: Record<AdminOperation, number> = {
  getAccount: 1,
  updateAccount: 2,
  listPersonalAccessTokens: 1,
  createPersonalAccessToken: 2,
  deletePersonalAccessToken: 2,
  getAccountPreference: 1,
  setAccountPreference: 2,
  introspect: 1,
  listWorkspaces: 3,
  createWorkspace: 1,
  getWorkspace: 2,
  updateWorkspace: 3,
  deleteWorkspace: 1,
  checkHandleAvailability: 1,
  listPublicWorkspaces: 2,
  getPublicWorkspace: 1,
  getWorkspacePreference: 1,
  setWorkspacePreference: 2,
  getAuditRecords: 1,
  // Reads the workspace's exports and writes once.
  exportWorkspace: 2,
  getWorkspaceExport: 1,
  listWorkspaceUsages: 2,
  breakDownWorkspaceUsageByBot: 1,
  getWorkspaceQuota: 1,
  listWorkspaceQuotas: 1,
  getUsage: 2,
  getMultipleUsages: 2,
  listUsageHistory: 3,
  listWorkspaceMembers: 2,
  getWorkspaceMember: 1,
  createWorkspaceMember: 1,
  updateWorkspaceMember: 2,
  deleteWorkspaceMember: 2,
  acceptInvitation: 2,
  joinWorkspace: 3,
  requestBodyUpload: 0,
  // Reads the index, which has only keys, and then the records.
  listBots: 2,
  getBot: 2,
  getBotLogs: 2,
  getBotAnalytics: 2,
  getBotWebchat: 2,
  createBot: 1,
  updateBot: 3,
  updateBotDeliveries: 2,
  rotateBotSigningSecrets: 2,
  // Reads two lists. The bot has no failed events or outbound messages.
  listDeadLetters: 2,
  redriveDeadLetters: 2,
  replayBotEvents: 3,
  // Includes the re-read caller and the totals of the bot's files, which are subtracted from the workspace's usage.
  deleteBot: 4,
  transferBot: 4,
  listBotApiKeys: 2,
  createBotApiKey: 3,
  deleteBotApiKey: 3,
  createOAuthState: 2,
  createIntegrationShareableId: 2,
  getIntegrationShareableId: 2,
  deleteIntegrationShareableId: 3,
  validateIntegrationCreation: 2,
  validateIntegrationUpdate: 1,
  listIntegrations: 3,
  getIntegration: 1,
  getIntegrationByName: 2,
  getIntegrationLogs: 2,
  createIntegration: 1,
  updateIntegration: 2,
  rotateIntegrationSigningSecrets: 2,
  deleteIntegration: 3,
  listIntegrationApiKeys: 2,
  createIntegrationApiKey: 3,
  deleteIntegrationApiKey: 3,
  listInterfaces: 2,
  getInterface: 1,
  getInterfaceByName: 2,
  createInterface: 1,
  updateInterface: 2,
  deleteInterface: 3,
  listPlugins: 2,
  getPlugin: 1,
  getPluginByName: 2,
  getPluginCode: 1,
  getDereferencedPlugin: 1,
  // Includes the quota and the stages of two texts.
  createPlugin: 4,
  updatePlugin: 2,
  deletePlugin: 3,
  // Reads the entries, the integrations, and the workspaces that publish them.
  listPublicIntegrations: 3,
  getPublicIntegrationById: 2,
  getPublicIntegration: 3,
  listPublicInterfaces: 2,
  getPublicInterfaceById: 1,
  getPublicInterface: 2,
  listPublicPlugins: 2,
  getPublicPluginById: 1,
  getPublicPlugin: 2,
  getPublicPluginCode: 1,
  getDereferencedPublicPluginById: 1,
};

/** The writes of stages: see `stagedObjects.ts`. */
const STAGES: Partial<Record<AdminOperation, number>> = { createPlugin: 2 };

let workspace: TestWorkspace;
let scene: { workspace: TestWorkspace; client: TestWorkspace['owner']['client']; botId: string; integrationId: string };

beforeAll(async () => {
  workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  scene = { workspace, client: workspace.owner.client, botId: bot.id, integrationId: integration.id };
});

const operationNamed = (name: string) =>
  (platformApi.operations as readonly PlatformOperation[]).find(each => each.group === 'admin' && each.name === name)!;

const run = (name: AdminOperation, { path, body }: { path: string; body?: unknown }, token: string) =>
  callOperation(
    operationNamed(name),
    { authorization: `Bearer ${token}`, 'x-workspace-id': workspace.id },
    { path: `/admin${path}`, body },
  );

describe('a warm call', () => {
  const names = Object.keys(BUDGETS) as AdminOperation[];
  it.each([...names.filter(name => name !== 'deleteWorkspace'), 'deleteWorkspace' as const])(
    'stays within the budget of %s, and writes at most once',
    async name => {
      const { token } = workspace.owner;
      const request = await ADMIN_REQUESTS[name](scene);
      await run('getAccount', { path: '/account/me' }, token);

      const { calls, writes } = await counted(() => run(name, request, token));

      // Operations that grant rights re-read the caller.
      const { grants = 'nothing' } = operationNamed(name);
      expect(calls).toBeLessThanOrEqual(BUDGETS[name] + (grants === 'nothing' ? 0 : 1));
      expect(writes - (STAGES[name] ?? 0)).toBeLessThanOrEqual(operationNamed(name).table === 'writes' ? 1 : 0);
    },
  );
});

describe('authentication', () => {
  it('costs one read in a cold function and none in a warm one', async () => {
    const other = await newWorkspace();
    // A token's first use is recorded with a write; later uses within the hour are not.
    const { pat } = await other.owner.client.createPersonalAccessToken({ note: 'n' });
    workspace = other;
    const request = { path: '/account/preferences/none' };

    const first = await counted(() => run('getAccountPreference', request, pat.value));
    const second = await counted(() => run('getAccountPreference', request, pat.value));

    expect({ reads: first.calls - first.writes, writes: first.writes }).toEqual({ reads: 2, writes: 1 });
    expect({ reads: second.calls - second.writes, writes: second.writes }).toEqual({ reads: 1, writes: 0 });
  });
});
