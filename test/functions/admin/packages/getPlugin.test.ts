import { describe, expect, it } from 'vitest';
import { newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/plugins/{id}', () => {
  it("returns the workspace's own plugin, and another workspace's public or unlisted one", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const plugins = [
      await newPlugin(mine),
      await newPlugin(theirs, { visibility: 'public' }),
      await newPlugin(theirs, { visibility: 'unlisted' }),
    ];

    const found = await Promise.all(plugins.map(({ id }) => mine.owner.client.getPlugin({ id })));

    expect(found.map(({ plugin }) => plugin)).toEqual(plugins);
  });

  it("returns 404 for another workspace's private plugin and for an invalid id", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { id } = await newPlugin(theirs);

    const answers = await Promise.all([id, 'nothing'].map(each => mine.call('GET', `/plugins/${each}`)));

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
