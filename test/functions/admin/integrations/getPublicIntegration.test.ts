import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/integrations/{name}/{version}', () => {
  it.each([
    ['1.0.0', '1.0.0'],
    ['latest', '1.1.0'],
    ['<1.1.0', '1.0.0'],
  ])('resolves %s to the public version %s', async (wanted, version) => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    for (const each of ['1.0.0', '1.1.0']) {
      await theirs.owner.client.createIntegration({ name, version: each, visibility: 'public' });
    }
    await theirs.owner.client.createIntegration({ name, version: '2.0.0', visibility: 'unlisted' });

    const { integration } = await mine.owner.client.getPublicIntegration({ name, version: wanted });

    expect(integration).toMatchObject({ version, ownerWorkspace: { id: theirs.id } });
  });

  it('returns 404 for a private or unknown integration, and 400 for an invalid version', async () => {
    const { owner, call } = await newWorkspace();
    const name = newName();
    await owner.client.createIntegration({ name, version: '1.0.0' });

    const answers = await Promise.all(
      [`${name}/1.0.0`, `${name}/latest`, 'nothing/1.0.0', `${name}/newest`].map(path =>
        call('GET', `/hub/integrations/${path}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
  });
});
