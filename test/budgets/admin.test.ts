/**
 * Call budgets of the admin group: the DynamoDB calls of each operation when it is warm, and the cost of
 * authentication, which is one read in a cold function and none in a warm one. The operations' references declare the
 * budgets.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { callOperation } from './callOperation.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

useSharedPlatform();

/** The writes of stages: see `stagedObjects.ts`. */
// A retry claims its time and ends the pause of the breaker.
const STAGES: Partial<Record<AdminOperation, number>> = { createPlugin: 2, retryBotEndpoint: 1 };

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
  const names = Object.keys(ADMIN_REQUESTS) as AdminOperation[];
  it.each([...names.filter(name => name !== 'deleteWorkspace'), 'deleteWorkspace' as const])(
    'stays within the budget of %s and writes at most once',
    async name => {
      const { token } = workspace.owner;
      const request = await ADMIN_REQUESTS[name](scene);
      await run('getAccount', { path: '/account/me' }, token);

      const count = await counted(() => run(name, request, token));

      // Operations that grant rights re-read the caller.
      const { grants = 'nothing' } = operationNamed(name);
      expectWithinBudget(operationNamed(name), count, grants === 'nothing' ? 0 : 1);
      expect(count.writes - (STAGES[name] ?? 0)).toBeLessThanOrEqual(operationNamed(name).table === 'writes' ? 1 : 0);
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
