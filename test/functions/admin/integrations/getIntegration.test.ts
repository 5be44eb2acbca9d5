import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const mail = { name: newName(), version: '1.0.0' };

describe('GET /v1/admin/integrations/{id}', () => {
  it('returns the definition of the integration, without its secrets', async () => {
    const { owner } = await newWorkspace();
    const schema = { type: 'object', properties: { to: { type: 'string' } } };
    const { integration } = await owner.client.createIntegration({
      ...mail,
      description: 'Sends mail',
      configuration: { schema },
      actions: { send: { input: { schema }, output: { schema: {} } } },
      secrets: { KEY: 'sesame' },
    });

    const { integration: found } = await owner.client.getIntegration({ id: integration.id });

    expect(found).toMatchObject({
      ...mail,
      id: integration.id,
      description: 'Sends mail',
      configuration: { schema, identifier: { required: false } },
      actions: { send: { input: { schema }, output: { schema: {} } } },
      secrets: ['KEY'],
      signingSecret: '',
      iconUrl: '',
      readmeUrl: '',
    });
    expect(JSON.stringify(found)).not.toContain('sesame');
  });

  it('hides the url from a viewer', async () => {
    const workspace = await newWorkspace();
    const url = 'http://127.0.0.1:9/endpoint';
    const { integration } = await workspace.owner.client.createIntegration({ ...mail, url });
    const viewer = await workspace.join('viewer');

    const byId = await viewer.client.getIntegration({ id: integration.id });
    const byName = await viewer.client.getIntegrationByName(mail);

    expect([integration.url, byId.integration.url, byName.integration.url]).toEqual([url, '', '']);
  });

  it.each(['public', 'unlisted'] as const)('shows an integration that another workspace made %s', async visibility => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { body } = await theirs.call('POST', '/integrations', { body: { ...mail, visibility } });

    const { integration } = await mine.owner.client.getIntegration({ id: body.integration.id });

    expect(integration).toMatchObject({ ...mail, visibility, public: visibility === 'public' });
  });

  it('returns 404 when it is unknown or private to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { integration } = await theirs.owner.client.createIntegration(mail);

    const answers = await Promise.all(
      ['intver_unknown', integration.id].map(id => mine.call('GET', `/integrations/${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
