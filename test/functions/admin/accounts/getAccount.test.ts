import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/account/me', () => {
  it("returns the caller's account", async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');

    const { account } = await workspace.owner.client.getAccount({});
    const { account: other } = await viewer.client.getAccount({});

    expect(account).toMatchObject({ id: workspace.owner.accountId, emailVerified: false });
    expect(account.email).toMatch(/@example\.com$/);
    expect(Date.parse(account.createdAt)).not.toBeNaN();
    expect(other.id).toBe(viewer.accountId);
    expect(other.email).not.toBe(account.email);
  });

  it('returns 403 for a workspace the caller is not a member of, and 401 for an unknown one', async () => {
    const { owner, call } = await newWorkspace();
    const other = await newWorkspace();

    const foreign = await call('GET', '/account/me', { token: other.owner.token });
    const unknown = await call('GET', '/account/me', { headers: { 'x-workspace-id': 'wkspace_nobody' } });
    const otherEnd = owner.token.endsWith('-') ? '_' : '-';
    const nobody = await call('GET', '/account/me', { token: owner.token.slice(0, -1) + otherEnd });

    expect([foreign.status, unknown.status, nobody.status]).toEqual([403, 401, 401]);
  });
});
