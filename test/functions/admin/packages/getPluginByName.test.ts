import { describe, expect, it } from 'vitest';
import { newName, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/plugins/{name}/{version}', () => {
  it.each([
    ['1.0.0', '1.0.0'],
    ['latest', '2.0.0'],
    ['<2.0.0', '1.0.0'],
  ])('resolves %s to version %s', async (wanted, version) => {
    const workspace = await newWorkspace();
    const name = newName();
    for (const each of ['1.0.0', '2.0.0']) await newPlugin(workspace, { name, version: each });

    const { plugin } = await workspace.owner.client.getPluginByName({ name, version: wanted });

    expect(plugin.version).toBe(version);
  });

  it("returns another workspace's public plugin if the workspace has none", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const foreign = await newPlugin(theirs, { visibility: 'public' });

    const { plugin } = await mine.owner.client.getPluginByName({ name: foreign.name, version: 'latest' });

    expect(plugin).toEqual(foreign);
  });

  it("returns 404 without a match or for another workspace's private plugin, and 400 for an invalid version", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { name } = await newPlugin(theirs);

    const answers = await Promise.all(
      [`${name}/1.0.0`, `${name}/latest`, `${name}/newest`].map(path => mine.call('GET', `/plugins/${path}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 400]);
  });
});
