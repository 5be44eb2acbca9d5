import { describe, expect, it } from 'vitest';
import { newName, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/plugins', () => {
  it('lists public plugins of every workspace, and no private ones', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const published = await newPlugin(theirs, { public: true });
    const hidden = await newPlugin(theirs);

    const { plugins: found } = await mine.owner.client.listPublicPlugins({ name: published.name });
    const { plugins: none } = await mine.owner.client.listPublicPlugins({ name: hidden.name });

    expect(found).toMatchObject([{ id: published.id, version: '1.0.0', public: true }]);
    expect(none).toEqual([]);
  });

  it('lists the versions of a name in pages, and filters by version', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const name = newName();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await newPlugin(workspace, { name, version, public: true });

    const first = await client.listPublicPlugins({ name, pageSize: 2 });
    const second = await client.listPublicPlugins({ name, pageSize: 2, nextToken: first.meta.nextToken });
    const exact = await client.listPublicPlugins({ name, version: '1.1.0' });

    expect([...first.plugins, ...second.plugins].map(({ version }) => version)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
    expect(second.meta).toEqual({});
    expect(exact.plugins.map(({ version }) => version)).toEqual(['1.1.0']);
  });
});
