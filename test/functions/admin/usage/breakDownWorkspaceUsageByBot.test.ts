import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces/{id}/usages/by-bot', () => {
  it('returns the usage of each existing bot', async () => {
    const { id, owner } = await newWorkspace();
    const [kept, other, deleted] = [
      await owner.client.createBot({}),
      await owner.client.createBot({}),
      await owner.client.createBot({}),
    ];
    await owner.client.deleteBot({ id: deleted.bot.id });

    const { data } = await owner.client.breakDownWorkspaceUsageByBot({ id, type: 'bot_count' });

    expect(data).toHaveLength(2);
    expect(data).toEqual(
      expect.arrayContaining([
        { botId: kept.bot.id, value: 1 },
        { botId: other.bot.id, value: 1 },
      ]),
    );
  });

  it('omits usage without a bot and usage of earlier months', async () => {
    const { id, owner } = await newWorkspace();
    await owner.client.createBot({});

    const members = await owner.client.breakDownWorkspaceUsageByBot({ id, type: 'workspace_member_count' });
    const before = await owner.client.breakDownWorkspaceUsageByBot({ id, type: 'bot_count', period: '2020-01' });

    expect(members.data).toEqual([]);
    expect(before.data).toEqual([]);
  });

  it.each([
    ['no type', '', 'type'],
    ['an unknown type', 'type=bots', 'type'],
    ['an invalid month', 'type=bot_count&period=2020-13', 'period'],
    ['a day as the period', 'type=bot_count&period=2020-01-01', 'period'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/workspaces/${id}/usages/by-bot?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 403 for another workspace and 404 for an unknown one', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', `/workspaces/${other.id}/usages/by-bot?type=bot_count`);
    const unknown = await call('GET', '/workspaces/wkspace_nobody/usages/by-bot?type=bot_count');

    expect([foreign.status, unknown.status]).toEqual([403, 404]);
  });
});
