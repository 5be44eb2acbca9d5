import { describe, expect, it } from 'vitest';
import { newInterface, newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/interfaces', () => {
  it('lists those of this workspace only, newest first, in pages', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await newInterface(theirs, { public: true });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await newInterface(mine)).id);

    const first = await mine.owner.client.listInterfaces({ pageSize: 2 });
    const second = await mine.owner.client.listInterfaces({ pageSize: 2, nextToken: first.meta.nextToken });

    expect([...first.interfaces, ...second.interfaces].map(({ id }) => id)).toEqual(ids);
    expect(second.meta).toEqual({});
  });

  it('filters by name and version', async () => {
    const workspace = await newWorkspace();
    const name = newName();
    for (const version of ['1.0.0', '1.1.0']) await newInterface(workspace, { name, version });
    await newInterface(workspace);

    const { interfaces: named } = await workspace.owner.client.listInterfaces({ name });
    const { interfaces: exact } = await workspace.owner.client.listInterfaces({ name, version: '1.1.0' });

    expect(named.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    expect(exact.map(({ version }) => version)).toEqual(['1.1.0']);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['nextToken=abc', 'nextToken'],
  ])('rejects %s with a 400 that names the field', async (query, path) => {
    const { call } = await newWorkspace();

    const answer = await call('GET', `/interfaces?${query}`);

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path }] } } });
  });
});
