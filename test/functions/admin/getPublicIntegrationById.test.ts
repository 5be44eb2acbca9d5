import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

describe('GET /v1/admin/hub/integrations/{id}', () => {
  it.each(['public', 'unlisted'] as const)('answers with one that is %s, and who publishes it', async visibility => {
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
  });

  it('answers 404 for a private one, even of the own workspace, and an unknown one', async () => {
    const { owner, call } = await newWorkspace();
    const { integration } = await owner.client.createIntegration({ name: newName(), version: '1.0.0' });

    const answers = await Promise.all([integration.id, 'nothing'].map(id => call('GET', `/hub/integrations/${id}`)));

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
