import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { useIdentityProvider } from '#test/support/singleSignOn.ts';

useSharedPlatform();
const sso = useIdentityProvider();

describe('DELETE /v1/admin/workspaces/{id}/single-sign-on', () => {
  it('keeps the members, and returns 404 afterwards', async () => {
    const workspace = await newWorkspace();
    await sso.configure(workspace, { defaultRole: 'agent' });
    await sso.signIn(workspace, sso.newPerson({ email: 'kept@example.com' }));
    const remove = () => workspace.call('DELETE', `/workspaces/${workspace.id}/single-sign-on`);

    const results = [await remove(), await remove()];

    expect(results.map(({ status }) => status)).toEqual([200, 404]);
    const { members } = await workspace.owner.client.listWorkspaceMembers({});
    expect(members.map(({ email }) => email)).toContain('kept@example.com');
  });
});
