import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/admin/workspaces/{id}', () => {
  it('blocks additions to the workspace', async () => {
    const { id, owner, call } = await newWorkspace();

    await owner.client.deleteWorkspace({ id });
    const shown = await owner.client.getWorkspace({ id });
    const bot = await call('POST', '/bots', { body: {} });
    const member = await call('POST', '/workspace-members', { body: { email: 'ann@example.com', role: 'viewer' } });

    expect(shown).toMatchObject({ id, blocked: true });
    expect([bot.status, member.status]).toEqual([404, 404]);
    expect((await owner.client.listWorkspaceMembers({})).members).toHaveLength(1);
  });

  it('invalidates its open invitations', async () => {
    const { id, owner, call } = await newWorkspace();
    const body = { email: 'ann@example.com', role: 'viewer' };
    const { inviteToken } = (await call('POST', '/workspace-members', { body })).body;

    await owner.client.deleteWorkspace({ id });
    const answer = await call('POST', '/invitations/accept', { body: { inviteToken } });

    expect(answer.status).toBe(404);
    const { members } = await owner.client.listWorkspaceMembers({});
    expect(members.filter(({ userId }) => userId)).toHaveLength(1);
  });

  it('returns 404 when repeated', async () => {
    const { id, owner } = await newWorkspace();
    await owner.client.deleteWorkspace({ id });

    const again = owner.client.deleteWorkspace({ id });

    await expect(again).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' });
  });

  it('returns 403 to everyone but an owner, and 404 for an unknown workspace', async () => {
    const workspace = await newWorkspace();
    const administrator = await workspace.join('administrator');
    const other = await newWorkspace();
    const remove = (token: string, id: string) => workspace.call('DELETE', `/workspaces/${id}`, { token });

    const answers = await Promise.all([
      remove(administrator.token, workspace.id),
      remove(workspace.owner.token, other.id),
      remove(workspace.owner.token, 'wkspace_nobody'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect((await workspace.owner.client.getWorkspace({ id: workspace.id })).blocked).toBe(false);
    expect((await other.owner.client.getWorkspace({ id: other.id })).blocked).toBe(false);
  });
});
