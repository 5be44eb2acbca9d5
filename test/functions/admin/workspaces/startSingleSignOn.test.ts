import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { useIdentityProvider } from '#test/support/singleSignOn.ts';

useSharedPlatform();
const sso = useIdentityProvider();

describe('POST /v1/admin/single-sign-on/start', () => {
  it('returns the address of the provider for the handle of a workspace', async () => {
    const workspace = await newWorkspace();
    const handle = `acme-${workspace.id
      .slice(-8)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '0')}`;
    await workspace.owner.client.updateWorkspace({ id: workspace.id, handle });
    await sso.configure(workspace);
    const { issuer, redirectUri } = sso.provider;

    const { status, body } = await workspace.call('POST', '/single-sign-on/start', {
      token: '',
      body: { workspace: handle, redirectUri },
    });

    const url = new URL(body.url);
    expect([status, url.origin]).toEqual([200, issuer]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'parley',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: body.state,
      code_challenge_method: 'S256',
    });
    expect(body.url).not.toContain(workspace.id);
  });

  it('returns the same 404 for an unknown workspace and for one without single sign-on', async () => {
    const workspace = await newWorkspace();
    const start = (name: string) =>
      workspace.call('POST', '/single-sign-on/start', {
        token: '',
        body: { workspace: name, redirectUri: 'https://console.example.com/' },
      });

    const [existing, unknown] = await Promise.all([start(workspace.id), start('unknown')]);

    expect(
      [existing, unknown].map(({ status, body }) => [status, body.message.replace(/ wkspace_\w+| unknown/, '')]),
    ).toEqual([
      [404, 'A workspace with single sign-on was not found.'],
      [404, 'A workspace with single sign-on was not found.'],
    ]);
  });

  it('returns 400 for a page that is neither https nor local', async () => {
    const workspace = await newWorkspace();
    await sso.configure(workspace);

    const results = await Promise.all(
      [
        'http://console.example.com/',
        'javascript:alert(1)',
        'https://a.example.com/?x=1',
        'https://a:b@example.com/',
      ].map(redirectUri =>
        workspace.call('POST', '/single-sign-on/start', { token: '', body: { workspace: workspace.id, redirectUri } }),
      ),
    );

    expect(results.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });
});
