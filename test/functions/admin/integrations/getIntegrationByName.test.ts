import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/integrations/{name}/{version}', () => {
  it.each(['mail', 'acme/mail'])('returns the requested version of the integration named %s', async name => {
    const { owner } = await newWorkspace();
    await owner.client.createIntegration({ name, version: '1.0.0' });
    const { integration } = await owner.client.createIntegration({ name, version: '1.0.1-beta.1' });

    const { integration: found } = await owner.client.getIntegrationByName({ name, version: '1.0.1-beta.1' });

    expect(found).toEqual({ ...integration, signingSecret: '' });
  });

  // Its path is also that of `deleteIntegrationApiKey`.
  it('finds every possible name, because names that conflict with routes are reserved', async () => {
    const workspace = await newWorkspace();

    const { status, body } = await workspace.call('POST', '/integrations', {
      body: { name: 'iaks', version: '1.0.0' },
    });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'name' });
  });

  it('distinguishes integrations of the same name in two workspaces', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const mail = { name: newName(), version: '1.0.0' };
    const { integration: own } = await mine.owner.client.createIntegration(mail);
    await theirs.owner.client.createIntegration({ ...mail, public: true });

    const { integration } = await mine.owner.client.getIntegrationByName(mail);

    expect(integration.id).toBe(own.id);
  });

  it('returns 404 when the name or version is unknown, or exists only in another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await mine.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
    await theirs.owner.client.createIntegration({ name: 'post', version: '1.0.0' });

    const answers = await Promise.all(
      ['nothing/1.0.0', 'mail/2.0.0', 'post/1.0.0'].map(path => mine.call('GET', `/integrations/${path}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
