import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const thisMonth = () => new Date(clock.now()).toISOString().slice(0, 7);

describe('GET /v1/admin/workspaces/{id}/usages', () => {
  it('counts bots and members as they are added and removed', async () => {
    const workspace = await newWorkspace();
    const { id, owner } = workspace;
    const { bot } = await owner.client.createBot({});
    await owner.client.createBot({});
    await owner.client.deleteBot({ id: bot.id });
    const viewer = await workspace.join('viewer');
    await workspace.join('developer');
    await owner.client.deleteWorkspaceMember({ id: viewer.memberId });

    const bots = await owner.client.listWorkspaceUsages({ id, type: 'bot_count' });
    const members = await owner.client.listWorkspaceUsages({ id, type: 'workspace_member_count' });

    const common = { id, period: thisMonth(), quota: Number.MAX_SAFE_INTEGER };
    expect(bots.usages).toEqual([{ ...common, value: 1, type: 'bot_count' }]);
    expect(members.usages).toEqual([{ ...common, value: 2, type: 'workspace_member_count' }]);
  });

  it('returns 0 for a month before any usage', async () => {
    const { id, owner } = await newWorkspace();
    await owner.client.createBot({});

    const { usages } = await owner.client.listWorkspaceUsages({ id, type: 'bot_count', period: '2020-01' });

    expect(usages).toMatchObject([{ period: '2020-01', value: 0 }]);
  });

  it.each([
    ['no type', '', 'type'],
    ['an unknown type', 'type=bots', 'type'],
    ['an invalid month', 'type=bot_count&period=2020-13', 'period'],
    ['a day as the period', 'type=bot_count&period=2020-01-01', 'period'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/workspaces/${id}/usages?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 403 for another workspace and 404 for an unknown one', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', `/workspaces/${other.id}/usages?type=bot_count`);
    const unknown = await call('GET', '/workspaces/wkspace_nobody/usages?type=bot_count');

    expect([foreign.status, unknown.status]).toEqual([403, 404]);
  });
});
