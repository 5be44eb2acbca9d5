import { expect, it } from 'vitest';
import { newInterface, newName, newPlugin } from '#test/support/packages.ts';
import { type AdminClient, newWorkspace, type TestWorkspace } from '#test/support/platform.ts';

interface Package {
  id: string;
  name: string;
  version: string;
}
interface Fields {
  name?: string;
  version?: string;
  public?: boolean;
}
type Query = NonNullable<Parameters<AdminClient['listInterfaces']>[0]>;
interface Page {
  packages: Package[];
  meta: { nextToken?: string | undefined };
}

interface PackageKind {
  name: 'interface' | 'plugin';
  path: string;
  create(workspace: TestWorkspace, fields?: Fields): Promise<Package>;
  list(client: AdminClient, query: Query): Promise<Page>;
  listPublic(client: AdminClient, query: Query): Promise<Page>;
  getPublic(client: AdminClient, input: { name: string; version: string }): Promise<Package>;
}

export const INTERFACE: PackageKind = {
  name: 'interface',
  path: '/interfaces',
  create: newInterface,
  list: async (client, query) => {
    const { interfaces: packages, meta } = await client.listInterfaces(query);
    return { packages, meta };
  },
  listPublic: async (client, query) => {
    const { interfaces: packages, meta } = await client.listPublicInterfaces(query);
    return { packages, meta };
  },
  getPublic: async (client, input) => (await client.getPublicInterface(input)).interface,
};

export const PLUGIN: PackageKind = {
  name: 'plugin',
  path: '/plugins',
  create: newPlugin,
  list: async (client, query) => {
    const { plugins: packages, meta } = await client.listPlugins(query);
    return { packages, meta };
  },
  listPublic: async (client, query) => {
    const { plugins: packages, meta } = await client.listPublicPlugins(query);
    return { packages, meta };
  },
  getPublic: async (client, input) => (await client.getPublicPlugin(input)).plugin,
};

/** Tests the operation that lists the interfaces or plugins of a workspace. */
export function testListPackages(kind: PackageKind): void {
  it('lists only the packages of this workspace, newest first, in pages', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await kind.create(theirs, { public: true });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await kind.create(mine)).id);

    const first = await kind.list(mine.owner.client, { pageSize: 2 });
    const second = await kind.list(mine.owner.client, { pageSize: 2, nextToken: first.meta.nextToken });

    expect([...first.packages, ...second.packages].map(({ id }) => id)).toEqual(ids);
    expect(second.meta).toEqual({});
  });

  it('filters by name and version', async () => {
    const workspace = await newWorkspace();
    const name = newName();
    for (const version of ['1.0.0', '1.1.0']) await kind.create(workspace, { name, version });
    await kind.create(workspace);

    const { packages: named } = await kind.list(workspace.owner.client, { name });
    const { packages: exact } = await kind.list(workspace.owner.client, { name, version: '1.1.0' });

    expect(named.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    expect(exact.map(({ version }) => version)).toEqual(['1.1.0']);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['nextToken=abc', 'nextToken'],
  ])('rejects %s with a 400 that names the field', async (query, path) => {
    const { call } = await newWorkspace();

    const answer = await call('GET', `${kind.path}?${query}`);

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path }] } } });
  });
}

/** Tests the operation that returns a public interface or plugin by name and version. */
export function testGetPublicPackage(kind: PackageKind): void {
  it.each([
    ['1.0.0', '1.0.0'],
    ['latest', '1.1.0'],
    ['<1.1.0', '1.0.0'],
  ])('resolves %s to the public version %s', async (requested, version) => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    for (const each of ['1.0.0', '1.1.0']) await kind.create(theirs, { name, version: each, public: true });
    await kind.create(theirs, { name, version: '1.2.0' });

    const found = await kind.getPublic(mine.owner.client, { name, version: requested });

    expect(found.version).toBe(version);
  });

  it('returns 404 for a private or unknown package, and 400 for an invalid version', async () => {
    const workspace = await newWorkspace();
    const { name } = await kind.create(workspace);

    const answers = await Promise.all(
      [`${name}/1.0.0`, `${name}/latest`, 'nothing/1.0.0', `${name}/newest`].map(path =>
        workspace.call('GET', `/hub${kind.path}/${path}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
  });
}

/** Tests the operation that lists public interfaces or plugins. */
export function testListPublicPackages(kind: PackageKind): void {
  it(`lists public ${kind.name}s of every workspace, and no private ones`, async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const published = await kind.create(theirs, { public: true });
    const hidden = await kind.create(theirs);

    const { packages: found } = await kind.listPublic(mine.owner.client, { name: published.name });
    const { packages: none } = await kind.listPublic(mine.owner.client, { name: hidden.name });

    expect(found).toMatchObject([{ id: published.id, version: '1.0.0', public: true }]);
    expect(none).toEqual([]);
  });

  it('lists the versions of a name in pages, and filters by version', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const name = newName();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await kind.create(workspace, { name, version, public: true });

    const first = await kind.listPublic(client, { name, pageSize: 2 });
    const second = await kind.listPublic(client, { name, pageSize: 2, nextToken: first.meta.nextToken });
    const exact = await kind.listPublic(client, { name, version: '1.1.0' });

    expect([...first.packages, ...second.packages].map(({ version }) => version)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
    expect(second.meta).toEqual({});
    expect(exact.packages.map(({ version }) => version)).toEqual(['1.1.0']);
  });
}
