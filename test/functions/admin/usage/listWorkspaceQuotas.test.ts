import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces/{id}/quotas', () => {
  it('lists each type once: file size is limited to 1 GiB, everything else is unlimited', async () => {
    const { id, owner } = await newWorkspace();

    const { quotas } = await owner.client.listWorkspaceQuotas({ id });

    const limited = quotas.filter(({ value }) => value !== Number.MAX_SAFE_INTEGER);
    expect(new Set(quotas.map(({ type }) => type)).size).toBe(15);
    expect(quotas).toHaveLength(15);
    expect(limited).toMatchObject([{ type: 'file_max_size_bytes', value: 1024 ** 3 }]);
    expect(new Set(quotas.map(({ period }) => period))).toEqual(
      new Set([new Date(clock.now()).toISOString().slice(0, 7)]),
    );
  });

  it('lists a quota until it is removed', async () => {
    const { id, owner } = await newWorkspace();
    const { setQuota } = await import('#shared/storage/dynamodb/workspace/usage.ts');
    const { write } = await import('#shared/storage/dynamodb/engine/transaction.ts');
    const shown = async () =>
      (await owner.client.listWorkspaceQuotas({ id })).quotas.find(({ type }) => type === 'bot_count')!.value;

    await write([setQuota(id, 'bot_count', 7)]);
    const set = await shown();
    await write([setQuota(id, 'bot_count', undefined)]);
    const lifted = await shown();

    expect([set, lifted]).toEqual([7, Number.MAX_SAFE_INTEGER]);
  });

  it('rejects an invalid period with a 400 that names the field', async () => {
    const { id, call } = await newWorkspace();

    const answer = await call('GET', `/workspaces/${id}/quotas?period=2020`);

    expect(answer.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'period' }] } });
  });

  it('returns 403 for another workspace and 404 for an unknown one', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', `/workspaces/${other.id}/quotas`);
    const unknown = await call('GET', '/workspaces/wkspace_nobody/quotas');

    expect([foreign.status, unknown.status]).toEqual([403, 404]);
  });
});
