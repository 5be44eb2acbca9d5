import { describe, expect, it } from 'vitest';
import { newInterface, newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/interfaces', () => {
  it('lists public interfaces of every workspace, and no private ones', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const published = await newInterface(theirs, { public: true });
    const hidden = await newInterface(theirs);

    const { interfaces: found } = await mine.owner.client.listPublicInterfaces({ name: published.name });
    const { interfaces: none } = await mine.owner.client.listPublicInterfaces({ name: hidden.name });

    expect(found).toMatchObject([{ id: published.id, version: '1.0.0', public: true }]);
    expect(none).toEqual([]);
  });

  it('lists the versions of a name in pages, and filters by version', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const name = newName();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await newInterface(workspace, { name, version, public: true });

    const first = await client.listPublicInterfaces({ name, pageSize: 2 });
    const second = await client.listPublicInterfaces({ name, pageSize: 2, nextToken: first.meta.nextToken });
    const exact = await client.listPublicInterfaces({ name, version: '1.1.0' });

    expect([...first.interfaces, ...second.interfaces].map(({ version }) => version)).toEqual([
      '1.0.0',
      '1.1.0',
      '1.2.0',
    ]);
    expect(second.meta).toEqual({});
    expect(exact.interfaces.map(({ version }) => version)).toEqual(['1.1.0']);
  });
});
