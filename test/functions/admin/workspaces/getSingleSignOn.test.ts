import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { useIdentityProvider } from '#test/support/singleSignOn.ts';

useSharedPlatform();
const sso = useIdentityProvider();

describe('GET /v1/admin/workspaces/{id}/single-sign-on', () => {
  it('returns the settings without the secret to administrators, and to no other role', async () => {
    const workspace = await newWorkspace();
    await sso.configure(workspace, { roles: [{ group: 'support', role: 'agent' }] });
    const { token } = await workspace.join('administrator');
    const { token: manager } = await workspace.join('manager');
    const get = (caller: string) =>
      workspace.call('GET', `/workspaces/${workspace.id}/single-sign-on`, { token: caller });

    const [{ body }, refused] = await Promise.all([get(token), get(manager)]);

    expect(body).toEqual({
      singleSignOn: {
        issuer: sso.provider.issuer,
        clientId: 'parley',
        hasClientSecret: true,
        scope: 'openid profile email',
        groupsClaim: 'groups',
        roles: [{ group: 'support', role: 'agent' }],
        emailDomains: [],
        updatedAt: expect.any(String),
      },
    });
    expect(refused.status).toBe(403);
  });

  it('returns no settings for a workspace without single sign-on', async () => {
    const workspace = await newWorkspace();

    expect(await workspace.call('GET', `/workspaces/${workspace.id}/single-sign-on`)).toMatchObject({
      status: 200,
      body: {},
    });
  });
});
