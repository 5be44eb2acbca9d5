import { describe, expect, it } from 'vitest';
import { newInterface, newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/interfaces/{name}/{version}', () => {
  it.each([
    ['1.2.0', '1.2.0'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
    ['latest', '1.10.0'],
    ['^1.0.0', '1.10.0'],
    ['~1.2.0', '1.2.0'],
    ['<1.10.0', '1.2.0'],
    ['>=1.0.0 <1.5.0 || 9.x', '1.2.0'],
    ['>=2.0.0-alpha', '2.0.0-beta.1'],
    ['2', '2.0.0-beta.1'],
  ])('resolves %s to version %s: a prerelease only if named, or without other matches', async (wanted, version) => {
    const workspace = await newWorkspace();
    const name = newName();
    for (const each of ['1.2.0', '1.10.0', '2.0.0-beta.1']) await newInterface(workspace, { name, version: each });

    const { interface: found } = await workspace.owner.client.getInterfaceByName({ name, version: wanted });

    expect(found.version).toBe(version);
  });

  it('finds a name that is prefixed with a handle', async () => {
    const workspace = await newWorkspace();
    const made = await newInterface(workspace, { name: `acme/${newName()}` });

    const { interface: found } = await workspace.owner.client.getInterfaceByName({
      name: made.name,
      version: 'latest',
    });

    expect(found).toEqual(made);
  });

  it("returns another workspace's public interface if the workspace has no match", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const foreign = await newInterface(theirs, { version: '2.0.0', public: true });
    const own = await newInterface(mine, { name: foreign.name, version: '1.0.0' });
    const ask = async (version: string) =>
      (await mine.owner.client.getInterfaceByName({ name: foreign.name, version })).interface;

    expect([await ask('latest'), await ask('2.x')]).toEqual([own, foreign]);
  });

  it('returns 404 without a match, and for private names of other workspaces', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const own = await newInterface(mine);
    const foreign = await newInterface(theirs);

    const answers = await Promise.all(
      [
        `${own.name}/2.0.0`,
        `${own.name}/>1.0.0`,
        `${own.name.slice(0, -1)}/latest`,
        `${foreign.name}/latest`,
        `${'n'.repeat(2_000)}/1.0.0`,
      ].map(path => mine.call('GET', `/interfaces/${path}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it.each(['newest', 'one.two', '^'.repeat(300)])('returns 400 for the version %s', async version => {
    const { call } = await newWorkspace();

    const answer = await call('GET', `/interfaces/anything/${encodeURIComponent(version)}`);

    expect(answer).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload', metadata: { issues: [{ path: 'version' }] } },
    });
  });
});
