import { afterEach, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { apiBaseUrl, Client, isLeftOut, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/workspaces', () => {
  it('creates a workspace owned by the caller', async () => {
    const { owner } = await newWorkspace();

    const workspace = await owner.client.createWorkspace({ name: 'Zoë & Co 🦊' });

    expect(workspace).toMatchObject({
      id: expect.stringMatching(/^wkspace_[0-9A-Za-z]{22}$/),
      name: 'Zoë & Co 🦊',
      ownerId: owner.accountId,
      botCount: 0,
      blocked: false,
      spendingLimit: 0,
      plan: 'community',
      updatedAt: workspace.createdAt,
    });
    expect(await owner.client.getWorkspace({ id: workspace.id })).toEqual(workspace);
  });

  it('creates a workspace that works immediately, with the caller as its only member', async () => {
    const { owner, call } = await newWorkspace();
    const { id } = await owner.client.createWorkspace({ name: 'New' });
    const headers = { 'x-workspace-id': id };

    const bot = await call('POST', '/bots', { body: { name: 'B' }, headers });
    const { body } = await call('GET', '/workspace-members', { headers });

    expect(bot.status).toBe(201);
    expect(body.members).toMatchObject([{ userId: owner.accountId, role: 'owner' }]);
    expect((await owner.client.listBots({})).bots).toEqual([]);
  });

  it('is available to every member, and grants no ownership elsewhere', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');

    const created = await viewer.client.createWorkspace({ name: 'Own' });

    expect(created.ownerId).toBe(viewer.accountId);
    expect((await viewer.client.getWorkspaceMember({})).role).toBe('viewer');
    await expect(workspace.owner.client.getWorkspace({ id: created.id })).rejects.toMatchObject({ code: 403 });
  });

  describe.skipIf(isLeftOut('settings'))('as the operator set it', () => {
    afterEach(() => vi.unstubAllEnvs());

    it('applies the default quotas to a new workspace', async () => {
      vi.stubEnv(VARIABLES.defaultQuotas, '{"bot_count":1,"workspace_member_count":1}');
      const { owner, call } = await newWorkspace();
      const { id } = await owner.client.createWorkspace({ name: 'New' });
      const headers = { 'x-workspace-id': id };

      const bots = [
        await call('POST', '/bots', { body: {}, headers }),
        await call('POST', '/bots', { body: {}, headers }),
      ];
      const invitation = { email: 'ann@example.com', role: 'viewer' };
      const member = await call('POST', '/workspace-members', { body: invitation, headers });
      const { body } = await call('GET', `/workspaces/${id}/quotas`, { headers });

      expect(bots.map(({ status }) => status)).toEqual([201, 403]);
      expect(bots[1]!.body.type).toBe('QuotaExceeded');
      expect(member.body).toMatchObject({ code: 403, type: 'QuotaExceeded' });
      expect(body.quotas).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'bot_count', value: 1 }),
          expect.objectContaining({ type: 'workspace_member_count', value: 1 }),
        ]),
      );
    });

    it("limits the spend of an account's first five workspaces, and disables it for others", async () => {
      vi.stubEnv(VARIABLES.defaultSpendDollars, '2.5');
      const viewer = await (await newWorkspace()).join('viewer');
      const quotas: number[] = [];
      for (let made = 1; made <= 6; made++) {
        const { id } = await viewer.client.createWorkspace({ name: `W${made}` });
        const workspace = new Client({ apiUrl: apiBaseUrl(), token: viewer.token, workspaceId: id });
        quotas.push((await workspace.getWorkspaceQuota({ id, type: 'ai_spend' })).quota.value);
        await workspace.deleteWorkspace({ id });
      }

      const each = 2_500_000_000;
      expect(quotas).toEqual([each, each, each, each, each, 0]);
    });

    it('returns 403 if only the operator may create workspaces', async () => {
      vi.stubEnv(VARIABLES.workspaceCreation, 'operator');
      const { owner } = await newWorkspace();

      const attempt = owner.client.createWorkspace({ name: 'New' });

      await expect(attempt).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
      expect((await owner.client.listWorkspaces({})).workspaces).toHaveLength(1);
    });
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'n'.repeat(201) }, 'name'],
    ['an unknown billing version', { name: 'N', billingVersion: 'v9' }, 'billingVersion'],
  ])('rejects %s with a 400 that names the field', async (_, body, path) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/workspaces', { body });

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listWorkspaces({})).workspaces).toHaveLength(1);
  });
});
