import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/workspace-members', () => {
  it('invites a member, who has no access until they accept', async () => {
    const { owner, call } = await newWorkspace();

    const { status, body } = await call('POST', '/workspace-members', {
      body: { email: 'ann@example.com', role: 'developer' },
    });

    const { members } = await owner.client.listWorkspaceMembers({});
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: 'ann@example.com', role: 'developer' });
    expect(body.inviteToken).toMatch(/^bp_inv_/);
    expect(Date.parse(body.inviteExpiresAt)).toBeGreaterThan(Date.parse(body.createdAt));
    expect(body).not.toHaveProperty('userId');
    const { inviteToken: _, ...member } = body;
    expect(members).toContainEqual(member);
  });

  it('returns 409 for the email of a member or invitation, ignoring case', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const { email } = await viewer.client.getWorkspaceMember({});
    const { client } = workspace.owner;
    await client.createWorkspaceMember({ email: 'ann@example.com', role: 'viewer' });

    const taken = ['ann@example.com', 'Ann@Example.COM', email];

    for (const each of taken) {
      const again = client.createWorkspaceMember({ email: each, role: 'viewer' });
      await expect(again).rejects.toMatchObject({ code: 409, type: 'AlreadyExists' });
    }
    expect((await client.listWorkspaceMembers({})).members).toHaveLength(3);
    const { usage } = await client.getUsage({ id: workspace.id, type: 'workspace_member_count' });
    expect(usage.value).toBe(3);
  });

  it('lets an administrator invite any role but owner, and returns 403 to a manager', async () => {
    const workspace = await newWorkspace();
    const administrator = await workspace.join('administrator');
    const manager = await workspace.join('manager');
    const invite = (token: string, role: string) =>
      workspace.call('POST', '/workspace-members', { token, body: { email: `${role}@example.com`, role } });

    const answers = [
      await invite(administrator.token, 'owner'),
      await invite(manager.token, 'viewer'),
      await invite(administrator.token, 'administrator'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 201]);
    expect((await workspace.owner.client.listWorkspaceMembers({})).members).toHaveLength(4);
  });

  it.each([
    ['no email', { role: 'viewer' }, 'email'],
    ['an invalid email', { email: 'ann@', role: 'viewer' }, 'email'],
    ['a long email', { email: `${'a'.repeat(320)}@example.com`, role: 'viewer' }, 'email'],
    ['no role', { email: 'ann@example.com' }, 'role'],
    ['an unknown role', { email: 'ann@example.com', role: 'king' }, 'role'],
  ])('rejects %s with a 400 that names the field', async (_, body, path) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/workspace-members', { body });

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listWorkspaceMembers({})).members).toHaveLength(1);
  });
});
