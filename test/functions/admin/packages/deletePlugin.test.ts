import { describe, expect, it } from 'vitest';
import { CODE, newName, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/admin/plugins/{id}', () => {
  it('deletes the plugin from the workspace and the hub, and frees its version', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, name } = await newPlugin(workspace, { visibility: 'public' });

    await client.deletePlugin({ id });
    const next = await newPlugin(workspace, { name });

    await expect(client.getPlugin({ id })).rejects.toMatchObject({ code: 404 });
    await expect(client.getPublicPlugin({ name, version: 'latest' })).rejects.toMatchObject({ code: 404 });
    expect((await client.getPluginByName({ name, version: '1.0.0' })).plugin.id).toBe(next.id);
  });

  it('lets developers delete only plugins they created', async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const foreign = await newPlugin(workspace);
    const { plugin: own } = await developer.client.createPlugin({ name: newName(), version: '1.0.0', code: CODE });

    const deleted = await developer.client.deletePlugin({ id: own.id });
    const refused = developer.client.deletePlugin({ id: foreign.id });

    expect(deleted).toEqual({});
    await expect(refused).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
  });

  it('returns 404 when it is deleted or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, foreign] = [await newPlugin(mine), await newPlugin(theirs, { visibility: 'public' })];
    await mine.owner.client.deletePlugin({ id: own.id });

    const answers = await Promise.all([own.id, foreign.id].map(id => mine.call('DELETE', `/plugins/${id}`)));

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
