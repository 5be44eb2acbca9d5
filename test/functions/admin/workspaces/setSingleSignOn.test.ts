import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { useIdentityProvider } from '#test/support/singleSignOn.ts';

useSharedPlatform();
const sso = useIdentityProvider();

const set = ({ call, id }: TestWorkspace, body: object, token?: string) =>
  call('PUT', `/workspaces/${id}/single-sign-on`, { body, ...(token === undefined ? {} : { token }) });

describe('PUT /v1/admin/workspaces/{id}/single-sign-on', () => {
  it('returns 403 to an administrator, because the provider can impersonate an owner', async () => {
    const workspace = await newWorkspace();
    const { token } = await workspace.join('administrator');

    expect(await set(workspace, { issuer: sso.provider.issuer, clientId: 'parley' }, token)).toMatchObject({
      status: 403,
    });
  });

  it('keeps the secret of the same client, and never sends it to another provider', async () => {
    const workspace = await newWorkspace();
    const { issuer, clientId } = sso.provider;
    await sso.configure(workspace, { defaultRole: 'agent' });

    const same = await set(workspace, { issuer, clientId, defaultRole: 'viewer' });
    const signedIn = await sso.signIn(workspace, sso.newPerson());
    const otherClient = await set(workspace, { issuer, clientId: 'other', defaultRole: 'viewer' });
    const removed = await set(workspace, { issuer, clientId: 'other', clientSecret: null });

    expect(same.body.singleSignOn).toMatchObject({ hasClientSecret: true, defaultRole: 'viewer' });
    expect(signedIn.status).toBe(201);
    expect([otherClient, removed].map(({ body }) => body.singleSignOn.hasClientSecret)).toEqual([false, false]);
  });

  it('ends the sessions of a former client', async () => {
    const workspace = await newWorkspace();
    await sso.configure(workspace, { defaultRole: 'administrator' });
    const { body } = await sso.signIn(workspace, sso.newPerson());
    const invite = () =>
      workspace.call('POST', '/workspace-members', {
        token: body.session.value,
        body: { email: sso.newPerson().concat('@example.org'), role: 'viewer' },
      });

    await sso.configure(workspace, { defaultRole: 'viewer' });
    const kept = await invite();
    await set(workspace, { issuer: sso.provider.issuer, clientId: 'other' });

    expect([kept.status, (await invite()).status]).toEqual([201, 401]);
  });

  it('returns 400 for an issuer that is no provider, and for invalid fields', async () => {
    const workspace = await newWorkspace();
    const { issuer, clientId } = sso.provider;

    const results = await Promise.all([
      set(workspace, { issuer: 'http://127.0.0.1:9', clientId }),
      set(workspace, { issuer: `${issuer}/nothing`, clientId }),
      set(workspace, { issuer: 'no address', clientId }),
      set(workspace, { issuer, clientId, scope: 'email' }),
      set(workspace, { issuer, clientId, emailDomains: ['@example.com'] }),
      set(workspace, { issuer, clientId, defaultRole: 'owner' }),
    ]);

    expect(results.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(results[0]!.body).toMatchObject({
      type: 'Runtime',
      message:
        'Its configuration could not be read: the connection was refused (ECONNREFUSED). Check the single sign-on of the workspace.',
    });
    expect(results[1]!.body.message).toContain('404');
  });

  it('writes no secret to the table and the audit log', async () => {
    const workspace = await newWorkspace();
    await sso.configure(workspace);

    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });

    expect(records[0]).toMatchObject({ value: 'SET_SINGLE_SIGN_ON', resourceName: sso.provider.issuer });
    expect(JSON.stringify(records)).not.toContain(sso.provider.clientSecret);
  });
});
