import { describe, expect, it } from 'vitest';
import { newInterface, newPlugin, SCHEMA } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/admin/plugins/{id}', () => {
  it('merges maps by key, and removes a key set to null', async () => {
    const workspace = await newWorkspace();
    const [one, two] = [await newInterface(workspace), await newInterface(workspace)];
    const { id } = await newPlugin(workspace, {
      configuration: { title: 'C', ...SCHEMA },
      states: { a: { type: 'bot', ...SCHEMA }, b: { type: 'user', ...SCHEMA } },
      user: { tags: { x: {} } },
      dependencies: { interfaces: { one: { id: one.id } } },
    });

    const { plugin } = await workspace.owner.client.updatePlugin({
      id,
      configuration: null,
      states: { a: null },
      user: { tags: { x: null, y: {} } },
      dependencies: { interfaces: { one: null, two: { name: two.name, version: 'latest' } } },
    });
    const { plugin: read } = await workspace.owner.client.getPlugin({ id });

    expect(plugin).toMatchObject({
      configuration: { schema: {} },
      user: { tags: { y: {} } },
      dependencies: { interfaces: { two: { id: two.id, name: two.name, version: '1.0.0' } } },
    });
    expect(Object.keys(plugin.states)).toEqual(['b']);
    expect(Object.keys(plugin.dependencies.interfaces)).toEqual(['two']);
    expect(read).toEqual(plugin);
  });

  it("replaces the code of one platform, and keeps the other platform's code", async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id } = await newPlugin(workspace, { code: { node: 'old', browser: 'kept' } });

    await client.updatePlugin({ id, code: { node: 'new' } });
    const codes = await Promise.all(
      (['node', 'browser'] as const).map(platform => client.getPluginCode({ id, platform })),
    );

    expect(codes.map(({ code }) => code)).toEqual(['new', 'kept']);
  });

  it('publishes, unlists and unpublishes a plugin', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, name } = await newPlugin(workspace);
    const listed: number[] = [];

    for (const visibility of ['public', 'unlisted', 'public', 'private'] as const) {
      await client.updatePlugin({ id, visibility });
      listed.push((await client.listPublicPlugins({ name })).plugins.length);
    }

    expect(listed).toEqual([1, 0, 1, 0]);
  });

  it("returns 404 for another workspace's plugin, and 400 for an unknown dependency", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, foreign] = [await newPlugin(mine), await newPlugin(theirs, { visibility: 'public' })];

    const stolen = await mine.call('PUT', `/plugins/${foreign.id}`, { body: { title: 'Mine' } });
    const unknown = await mine.call('PUT', `/plugins/${own.id}`, {
      body: { dependencies: { integrations: { a: { name: 'nothing' } } } },
    });

    expect(stolen).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(unknown).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
  });
});
