import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspace-members', () => {
  it('lists members and invitations with their roles', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    await workspace.owner.client.createWorkspaceMember({ email: 'ann@example.com', role: 'billing' });

    const { members } = await viewer.client.listWorkspaceMembers({});

    expect(members).toHaveLength(3);
    expect(members.find(({ id }) => id === workspace.owner.memberId)).toMatchObject({ role: 'owner' });
    expect(members.find(({ id }) => id === viewer.memberId)).toMatchObject({
      userId: viewer.accountId,
      role: 'viewer',
    });
    expect(members.find(({ email }) => email === 'ann@example.com')).toMatchObject({ role: 'billing' });
    expect(members.find(({ email }) => email === 'ann@example.com')).not.toHaveProperty('userId');
    expect(JSON.stringify(members)).not.toContain('bp_inv_');
  });

  it('pages through all records exactly once', async () => {
    const { owner, call } = await newWorkspace();
    for (const name of ['a', 'b', 'c', 'd']) {
      await owner.client.createWorkspaceMember({ email: `${name}@example.com`, role: 'viewer' });
    }
    const { members: all } = await owner.client.listWorkspaceMembers({});

    const paged: unknown[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { body } = await call('GET', `/workspace-members?pageSize=2&nextToken=${token}`);
      paged.push(...body.members);
      token = body.meta.nextToken;
    }

    expect(all).toHaveLength(5);
    expect(paged).toEqual(all);
  });

  it('returns 403 to a non-member, and 400 for a nextToken of another list', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', '/workspace-members', { token: other.owner.token });
    const token = await call('GET', '/workspace-members?nextToken=AAAA');

    expect(foreign.status).toBe(403);
    expect(token.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'nextToken' }] } });
  });
});
