import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/integrations/{id}', () => {
  it.each(['public', 'unlisted'] as const)(
    'returns an integration that is %s, with its publisher',
    async visibility => {
      const [mine, theirs] = [await newWorkspace(), await newWorkspace('Theirs')];
      const { integration } = await theirs.owner.client.createIntegration({
        name: newName(),
        version: '1.0.0',
        visibility,
      });

      const { integration: found } = await mine.owner.client.getPublicIntegrationById({ id: integration.id });

      expect(found).toEqual({
        ...integration,
        signingSecret: '',
        ownerWorkspace: { id: theirs.id, handle: null, name: 'Theirs' },
        meta: { installs: 0, views: 0 },
      });
    },
  );

  it('hides the endpoint from other workspaces in every operation', async () => {
    const [mine, theirs] = await Promise.all([newWorkspace(), newWorkspace()]);
    const url = 'https://example.com/bp?key=secret';
    const name = newName();
    const { integration } = await theirs.owner.client.createIntegration({ name, version: '1.0.0', public: true, url });
    const paths = [
      `/hub/integrations/${integration.id}`,
      `/hub/integrations/${name}/1.0.0`,
      '/hub/integrations',
      `/integrations/${integration.id}`,
      '/integrations',
    ];

    const answers = await Promise.all(paths.map(path => mine.call('GET', path)));

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(answers.map(({ body }) => JSON.stringify(body)).join()).not.toContain('key=secret');
    expect((await theirs.owner.client.getIntegration({ id: integration.id })).integration.url).toBe(url);
  });

  it("returns 404 for a private integration, even the caller's own, and for an unknown one", async () => {
    const { owner, call } = await newWorkspace();
    const { integration } = await owner.client.createIntegration({ name: newName(), version: '1.0.0' });

    const answers = await Promise.all([integration.id, 'nothing'].map(id => call('GET', `/hub/integrations/${id}`)));

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
