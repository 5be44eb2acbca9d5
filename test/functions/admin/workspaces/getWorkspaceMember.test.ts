import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspace-members/me', () => {
  it("returns the caller's membership", async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');

    const member = await viewer.client.getWorkspaceMember({});

    const { account } = await viewer.client.getAccount({});
    expect(member).toMatchObject({ userId: account.id, email: account.email, role: 'viewer' });
    expect(member.id).toMatch(/^member_/);
  });

  it('returns the membership of the workspace in the header', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const { id } = await viewer.client.createWorkspace({ name: 'Own' });

    const here = await viewer.client.getWorkspaceMember({});
    const there = await workspace.call('GET', '/workspace-members/me', {
      token: viewer.token,
      headers: { 'x-workspace-id': id },
    });

    expect([here.role, there.body.role]).toEqual(['viewer', 'owner']);
    expect(there.body.id).not.toBe(here.id);
  });

  it('returns 403 to a non-member', async () => {
    const { call } = await newWorkspace();
    const other = await newWorkspace();

    const answer = await call('GET', '/workspace-members/me', { token: other.owner.token });

    expect(answer.body).toMatchObject({ code: 403, type: 'Forbidden' });
  });
});
