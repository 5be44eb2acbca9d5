import { describe, expect, it } from 'vitest';
import { crowds, newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

/** The operator sets quotas, through no interface. */
async function limitBots(workspaceId: string, quota: number) {
  const { setQuota } = await import('#shared/dynamodb/workspace/usage.ts');
  const { write } = await import('#shared/dynamodb/transaction.ts');
  await write([setQuota(workspaceId, 'bot_count', quota)]);
}

describe('GET /v1/admin/workspaces/{id}/quota', () => {
  it('answers the largest number where there is no quota', async () => {
    const { id, owner } = await newWorkspace();

    const { quota } = await owner.client.getWorkspaceQuota({ id, type: 'bot_count' });

    const period = new Date().toISOString().slice(0, 7);
    expect(quota).toEqual({ type: 'bot_count', value: 9007199254740991, period });
  });

  it('answers the quota that holds: createBot beyond it is a 403 and leaves nothing', async () => {
    const { id, owner } = await newWorkspace();
    await limitBots(id, 2);
    await owner.client.createBot({});
    await owner.client.createBot({});
    const { records: before } = await owner.client.getAuditRecords({ id });

    const third = owner.client.createBot({});
    await expect(third).rejects.toMatchObject({ code: 403, type: 'QuotaExceeded' });
    const { quota } = await owner.client.getWorkspaceQuota({ id, type: 'bot_count' });

    expect(quota.value).toBe(2);
    expect((await owner.client.listBots({})).bots).toHaveLength(2);
    expect((await owner.client.getUsage({ id, type: 'bot_count' })).usage).toMatchObject({ value: 2, quota: 2 });
    expect((await owner.client.getAuditRecords({ id })).records).toEqual(before);
  });

  it('answers a quota that gives room again when a bot goes', async () => {
    const { id, owner } = await newWorkspace();
    await limitBots(id, 1);
    const { bot } = await owner.client.createBot({});
    await expect(owner.client.createBot({})).rejects.toMatchObject({ type: 'QuotaExceeded' });

    await owner.client.deleteBot({ id: bot.id });
    await owner.client.createBot({});

    expect((await owner.client.getUsage({ id, type: 'bot_count' })).usage.value).toBe(1);
  });

  it('holds against 50 who create at once', async () => {
    const { id, owner, call } = await newWorkspace();
    await limitBots(id, 10);

    const answers = await crowds(50, () => call('POST', '/bots', { body: {} }));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ body }) => body.type === 'QuotaExceeded')).toHaveLength(40);
    expect((await owner.client.getUsage({ id, type: 'bot_count' })).usage.value).toBe(10);
    expect((await owner.client.getWorkspace({ id })).botCount).toBe(10);
  });

  it.each([
    ['no type', '', 'type'],
    ['an unknown type', 'type=bots', 'type'],
    ['a period that is no month', 'type=bot_count&period=2020-13', 'period'],
    ['a period that is a day', 'type=bot_count&period=2020-01-01', 'period'],
  ])('with %s is a 400 that names the fault', async (_, query, path) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/workspaces/${id}/quota?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('answers 403 for a workspace of others and 404 for none', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', `/workspaces/${other.id}/quota?type=bot_count`);
    const unknown = await call('GET', '/workspaces/wkspace_nobody/quota?type=bot_count');

    expect([foreign.status, unknown.status]).toEqual([403, 404]);
  });
});
