import { describe, expect, it } from 'vitest';
import { newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/plugins/{id}', () => {
  it('returns a published plugin of any workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const published = await newPlugin(theirs, { public: true });

    const { plugin: found } = await mine.owner.client.getPublicPluginById({ id: published.id });

    expect(found).toEqual(published);
  });

  it("returns 404 for a private plugin, even the caller's own, and for an unknown id", async () => {
    const workspace = await newWorkspace();
    const { id } = await newPlugin(workspace);

    const answers = await Promise.all(
      [id, `${id.slice(0, -1)}_`, 'nothing'].map(each => workspace.call('GET', `/hub/plugins/${each}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns an unlisted plugin, which lists omit', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const unlisted = await newPlugin(theirs, { visibility: 'unlisted' });

    const { plugin } = await mine.owner.client.getPublicPluginById({ id: unlisted.id });
    const { plugins } = await mine.owner.client.listPublicPlugins({ name: unlisted.name });

    expect(plugin).toMatchObject({ id: unlisted.id, public: false, visibility: 'unlisted' });
    expect(plugins).toEqual([]);
  });
});
