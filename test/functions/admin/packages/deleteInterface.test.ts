import { describe, expect, it } from 'vitest';
import { newInterface, newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/admin/interfaces/{id}', () => {
  it('deletes the interface from the workspace and the hub, and frees its version', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, name } = await newInterface(workspace, { public: true });

    await client.deleteInterface({ id });
    const next = await newInterface(workspace, { name });
    const { interfaces } = await client.listPublicInterfaces({ name });

    await expect(client.getInterface({ id })).rejects.toMatchObject({ code: 404 });
    expect((await client.getInterfaceByName({ name, version: '1.0.0' })).interface.id).toBe(next.id);
    expect(interfaces).toEqual([]);
  });

  it('keeps a published name reserved for the workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { id, name } = await newInterface(mine, { public: true });

    await mine.owner.client.deleteInterface({ id });
    const taken = await theirs.call('POST', '/interfaces', { body: { name, version: '1.0.1', public: true } });

    expect(taken).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
  });

  it('lets developers delete only interfaces they created', async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const foreign = await newInterface(workspace);
    const { interface: own } = await developer.client.createInterface({ name: newName(), version: '1.0.0' });

    const deleted = await developer.client.deleteInterface({ id: own.id });
    const refused = developer.client.deleteInterface({ id: foreign.id });

    expect(deleted).toEqual({});
    await expect(refused).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
  });

  it('returns 404 when it is deleted, unknown or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, foreign] = [await newInterface(mine), await newInterface(theirs, { public: true })];
    await mine.owner.client.deleteInterface({ id: own.id });

    const answers = await Promise.all(
      [own.id, 'ifver_unknown', foreign.id].map(id => mine.call('DELETE', `/interfaces/${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
