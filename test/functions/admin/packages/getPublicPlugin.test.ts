import { describe, expect, it } from 'vitest';
import { newName, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/plugins/{name}/{version}', () => {
  it.each([
    ['1.0.0', '1.0.0'],
    ['latest', '1.1.0'],
    ['<1.1.0', '1.0.0'],
  ])('answers %s with the public version %s', async (wanted, version) => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    for (const each of ['1.0.0', '1.1.0']) await newPlugin(theirs, { name, version: each, public: true });
    await newPlugin(theirs, { name, version: '1.2.0' });

    const { plugin: found } = await mine.owner.client.getPublicPlugin({ name, version: wanted });

    expect(found.version).toBe(version);
  });

  it('returns 404 for a private one and an unknown one, and 400 for an invalid version', async () => {
    const workspace = await newWorkspace();
    const { name } = await newPlugin(workspace);

    const answers = await Promise.all(
      [`${name}/1.0.0`, `${name}/latest`, 'nothing/1.0.0', `${name}/newest`].map(path =>
        workspace.call('GET', `/hub/plugins/${path}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
  });
});
