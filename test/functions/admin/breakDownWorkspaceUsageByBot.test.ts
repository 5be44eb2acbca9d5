import { describe, expect, it } from 'vitest';
import { newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

describe('GET /v1/admin/workspaces/{id}/usages/by-bot', () => {
  it('answers what each bot that is there counts for, and nothing of a deleted one', async () => {
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

  it('shows nothing that is no bot’s, and nothing of a month before', async () => {
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
    ['a period that is no month', 'type=bot_count&period=2020-13', 'period'],
    ['a period that is a day', 'type=bot_count&period=2020-01-01', 'period'],
  ])('with %s is a 400 that names the fault', async (_, query, path) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/workspaces/${id}/usages/by-bot?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('answers 403 for a workspace of others and 404 for none', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', `/workspaces/${other.id}/usages/by-bot?type=bot_count`);
    const unknown = await call('GET', '/workspaces/wkspace_nobody/usages/by-bot?type=bot_count');

    expect([foreign.status, unknown.status]).toEqual([403, 404]);
  });
});
