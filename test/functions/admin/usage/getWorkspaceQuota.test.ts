import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { crowds, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/** Sets a quota as an operator, because no API does. */
async function limitBots(workspaceId: string, quota: number) {
  const { setQuota } = await import('#shared/storage/dynamodb/workspace/usage.ts');
  const { write } = await import('#shared/storage/dynamodb/engine/transaction.ts');
  await write([setQuota(workspaceId, 'bot_count', quota)]);
}

describe('GET /v1/admin/workspaces/{id}/quota', () => {
  it('returns the largest safe integer without a quota', async () => {
    const { id, owner } = await newWorkspace();

    const { quota } = await owner.client.getWorkspaceQuota({ id, type: 'bot_count' });

    const period = new Date(clock.now()).toISOString().slice(0, 7);
    expect(quota).toEqual({ type: 'bot_count', value: 9007199254740991, period });
  });

  it('returns the enforced quota, beyond which createBot returns 403', async () => {
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

  it('frees quota when a bot is deleted', async () => {
    const { id, owner } = await newWorkspace();
    await limitBots(id, 1);
    const { bot } = await owner.client.createBot({});
    await expect(owner.client.createBot({})).rejects.toMatchObject({ type: 'QuotaExceeded' });

    await owner.client.deleteBot({ id: bot.id });
    await owner.client.createBot({});

    expect((await owner.client.getUsage({ id, type: 'bot_count' })).usage.value).toBe(1);
  });

  it('enforces the quota for 50 concurrent creates', async () => {
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
    ['an invalid month', 'type=bot_count&period=2020-13', 'period'],
    ['a day as the period', 'type=bot_count&period=2020-01-01', 'period'],
  ])('rejects %s with a 400 that names the field', async (_, query, path) => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/workspaces/${id}/quota?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });

  it('returns 403 for another workspace and 404 for an unknown one', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', `/workspaces/${other.id}/quota?type=bot_count`);
    const unknown = await call('GET', '/workspaces/wkspace_nobody/quota?type=bot_count');

    expect([foreign.status, unknown.status]).toEqual([403, 404]);
  });
});
