/**
 * Budgets of the admin operations: the DynamoDB calls of a warm function, and of identifying the caller: one read when cold,
 * none when warm. An operation without a budget does not compile (docs/performance.md).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain.ts';
import { gatewayVariable } from '#shared/api/operation.ts';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, usePlatform } from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { counted } from './counter.ts';

usePlatform();

/** Calls of a warm function: reads, and one transaction where it writes. */
const BUDGETS: Record<AdminOperation, number> = {
  getAccount: 1,
  updateAccount: 2,
  listPersonalAccessTokens: 1,
  createPersonalAccessToken: 1,
  deletePersonalAccessToken: 2,
  getAccountPreference: 1,
  setAccountPreference: 1,
  introspect: 1,
  listWorkspaces: 3,
  createWorkspace: 1,
  getWorkspace: 2,
  updateWorkspace: 3,
  deleteWorkspace: 1,
  getWorkspacePreference: 1,
  setWorkspacePreference: 1,
  getAuditRecords: 1,
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
  listBots: 1,
  getBot: 2,
  getBotLogs: 2,
  getBotAnalytics: 2,
  createBot: 1,
  updateBot: 3,
  rotateBotSigningSecrets: 2,
  // A list of a whole bot has 16 shards.
  replayBotEvents: 17,
  // The bot's totals too, which leave the workspace's usage.
  deleteBot: 3,
  transferBot: 4,
  listBotApiKeys: 2,
  createBotApiKey: 2,
  deleteBotApiKey: 3,
  listIntegrations: 2,
  getIntegration: 1,
  getIntegrationByName: 2,
  getIntegrationLogs: 2,
  createIntegration: 1,
  updateIntegration: 2,
  rotateIntegrationSigningSecrets: 2,
  deleteIntegration: 2,
  listIntegrationApiKeys: 2,
  createIntegrationApiKey: 2,
  deleteIntegrationApiKey: 3,
};

let workspace: TestWorkspace;
let scene: { workspace: TestWorkspace; client: TestWorkspace['owner']['client']; botId: string; integrationId: string };

beforeAll(async () => {
  workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  scene = { workspace, client: workspace.owner.client, botId: bot.id, integrationId: integration.id };
});

const operationNamed = (name: string) =>
  platformApi.operations.find(each => each.group === 'admin' && each.name === name)!;

/** Calls an operation without a gateway, so that only its own calls are counted. */
async function ask(name: AdminOperation, { path, body }: { path: string; body?: unknown }, token: string) {
  const operation = operationNamed(name);
  const [given = '', query = ''] = `/admin${path}`.split('?');
  const values = given.split('/');
  const variables = operation.path.split('/').flatMap((segment, i) => (segment.startsWith('{') ? [values[i]!] : []));
  const parameters = [...new URLSearchParams(query)].map(([key, value]) => [key, [value]]);
  const answer = await handlerOf(operation)(
    {
      httpMethod: operation.method,
      headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspace.id },
      pathParameters: Object.fromEntries(variables.map((value, i) => [gatewayVariable(i), decodeURIComponent(value)])),
      multiValueQueryStringParameters: Object.fromEntries(parameters),
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    lambdaContext(name, 29_000),
  );
  expect(operation.statuses, answer.body).toContain(answer.statusCode);
}

describe('a warm call', () => {
  const names = Object.keys(BUDGETS) as AdminOperation[];
  it.each([...names.filter(name => name !== 'deleteWorkspace'), 'deleteWorkspace' as const])(
    'of %s stays within its budget, and writes at most once',
    async name => {
      const { token } = workspace.owner;
      const request = await ADMIN_REQUESTS[name](scene);
      await ask('getAccount', { path: '/account/me' }, token);

      const { calls, writes } = await counted(() => ask(name, request, token));

      expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
      expect(writes).toBeLessThanOrEqual(operationNamed(name).table === 'writes' ? 1 : 0);
    },
  );
});

describe('who calls', () => {
  it('costs one read when the function is cold, and none when it is warm', async () => {
    const other = await newWorkspace();
    // Recording the first use of a token within an hour is measured separately.
    const { pat } = await other.owner.client.createPersonalAccessToken({ note: 'n' });
    workspace = other;
    const request = { path: '/account/preferences/none' };

    const first = await counted(() => ask('getAccountPreference', request, pat.value));
    const second = await counted(() => ask('getAccountPreference', request, pat.value));

    expect({ reads: first.calls - first.writes, writes: first.writes }).toEqual({ reads: 2, writes: 1 });
    expect({ reads: second.calls - second.writes, writes: second.writes }).toEqual({ reads: 1, writes: 0 });
  });
});
