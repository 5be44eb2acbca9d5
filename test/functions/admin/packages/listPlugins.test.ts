import { describe, expect, it } from 'vitest';
import { newName, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/plugins', () => {
  it('lists those of this workspace only, newest first, in pages', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await newPlugin(theirs, { public: true });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await newPlugin(mine)).id);

    const first = await mine.owner.client.listPlugins({ pageSize: 2 });
    const second = await mine.owner.client.listPlugins({ pageSize: 2, nextToken: first.meta.nextToken });

    expect([...first.plugins, ...second.plugins].map(({ id }) => id)).toEqual(ids);
    expect(second.meta).toEqual({});
  });

  it('filters by name and version', async () => {
    const workspace = await newWorkspace();
    const name = newName();
    for (const version of ['1.0.0', '1.1.0']) await newPlugin(workspace, { name, version });
    await newPlugin(workspace);

    const { plugins: named } = await workspace.owner.client.listPlugins({ name });
    const { plugins: exact } = await workspace.owner.client.listPlugins({ name, version: '1.1.0' });

    expect(named.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    expect(exact.map(({ version }) => version)).toEqual(['1.1.0']);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['nextToken=abc', 'nextToken'],
  ])('rejects %s with a 400 that names the field', async (query, path) => {
    const { call } = await newWorkspace();

    const answer = await call('GET', `/plugins?${query}`);

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path }] } } });
  });
});
