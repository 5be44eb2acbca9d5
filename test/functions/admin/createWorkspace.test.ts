import { describe, expect, it } from 'vitest';
import { newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

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

  it('creates a workspace that works at once, with the caller as its only member', async () => {
    const { owner, call } = await newWorkspace();
    const { id } = await owner.client.createWorkspace({ name: 'New' });
    const headers = { 'x-workspace-id': id };

    const bot = await call('POST', '/bots', { body: { name: 'B' }, headers });
    const { body } = await call('GET', '/workspace-members', { headers });

    expect(bot.status).toBe(201);
    expect(body.members).toMatchObject([{ userId: owner.accountId, role: 'owner' }]);
    expect((await owner.client.listBots({})).bots).toEqual([]);
  });

  it('allows every member, without making them an owner anywhere else', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');

    const created = await viewer.client.createWorkspace({ name: 'Own' });

    expect(created.ownerId).toBe(viewer.accountId);
    expect((await viewer.client.getWorkspaceMember({})).role).toBe('viewer');
    await expect(workspace.owner.client.getWorkspace({ id: created.id })).rejects.toMatchObject({ code: 403 });
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
