/** Tests that deleting an interface, a plugin or their workspace removes all data and frees names in the hub. */
import { describe, expect, it } from 'vitest';
import { CODE, newInterface, newName, newPlugin } from '#test/support/packages.ts';
import { eventually, newWorkspace, settled, usePlatform } from '#test/support/platform.ts';
import { allObjects } from '#test/support/stagedObjects.ts';
import { sweep } from '#test/support/sweeps.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

const objectsOf = async (id: string) => (await allObjects()).filter(key => key.includes(id)).length;
const icon = Buffer.from('<svg/>').toString('base64');

describe('a package that was deleted', () => {
  it('leaves no item and no object', async () => {
    const workspace = await newWorkspace();
    const { id } = await newPlugin(workspace, { icon, visibility: 'public' });
    expect([(await scanItems(id)).length, await objectsOf(id)]).toEqual([2, 3]);

    await workspace.owner.client.deletePlugin({ id });

    await eventually(async () => expect([await scanItems(id), await objectsOf(id)]).toEqual([[], 0]));
  });

  it("frees its share of the workspace's limit", async () => {
    const workspace = await newWorkspace();
    const counts = async () => (await scanItems(`${workspace.id}#interfaceNames`)).map(({ n }) => n).filter(Boolean);
    const { id } = await newInterface(workspace);
    await newInterface(workspace);
    const before = await counts();

    await workspace.owner.client.deleteInterface({ id });

    expect([before, await counts()]).toEqual([[2], [1]]);
  });
});

it('deletes an object that an update replaces', async () => {
  const workspace = await newWorkspace();
  const { id } = await newPlugin(workspace, { icon });
  await settled();

  await workspace.owner.client.updatePlugin({ id, icon, code: CODE });

  await eventually(async () => expect(await objectsOf(id)).toBe(3));
});

describe('a workspace that was deleted', () => {
  it('deletes and unpublishes its packages, and frees the names', async () => {
    const [workspace, next] = [await newWorkspace(), await newWorkspace()];
    const { client } = workspace.owner;
    const [name, mail] = [newName(), newName()];
    const made = [
      await newInterface(workspace, { name, public: true }),
      await newPlugin(workspace, { name, visibility: 'public' }),
      await newPlugin(workspace),
    ];
    const { integration } = await client.createIntegration({ name: mail, version: '1.0.0', public: true });
    await client.updateWorkspace({ id: workspace.id, isPublic: true });

    await client.deleteWorkspace({ id: workspace.id });
    await sweep({ kind: 'workspace', workspaceId: workspace.id, isSecondPass: true });

    const ids = [workspace.id, integration.id, ...made.map(({ id }) => id)];
    await eventually(async () => expect((await Promise.all(ids.map(id => scanItems(id)))).flat()).toEqual([]));
    const hub = await scanItems('hub');
    expect(hub.filter(item => item.workspaceId === workspace.id || String(item.sk).includes(workspace.id))).toEqual([]);
    await newInterface(next, { name, public: true });
    const { integration: again } = await next.owner.client.createIntegration({
      name: mail,
      version: '1.0.0',
      public: true,
    });
    expect(again.public).toBe(true);
  });
});
