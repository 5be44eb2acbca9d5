import { describe, expect, it } from 'vitest';
import { newPluginWithInterface, SCHEMA } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/plugins/{id}/dereferenced', () => {
  it('returns the entities of the integrations that implement the interfaces', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { plugin, integration, task } = await newPluginWithInterface(theirs, true);

    const { plugin: found } = await mine.owner.client.getDereferencedPublicPluginById({
      id: plugin.id,
      interfaces: { listable: integration.id },
    });

    expect(found.actions.take!.input.schema).toEqual({ properties: { it: task } });
  });

  it('returns 404 for a private plugin, and 413 when the entities repeat too often', async () => {
    const workspace = await newWorkspace();
    const { plugin, integration } = await newPluginWithInterface(workspace, true);
    const { plugin: hidden } = await newPluginWithInterface(workspace);
    const { client } = workspace.owner;
    const large = { type: 'object', description: 'x'.repeat(100_000) };
    await client.updateIntegration({ id: integration.id, entities: { task: { schema: large } } });
    const $ref = 'interface:listable/entities/item';
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, { $ref }]));
    await client.updatePlugin({
      id: plugin.id,
      actions: { take: { input: { schema: { properties } }, output: SCHEMA } },
    });
    const ask = (id: string) =>
      workspace.call('GET', `/hub/plugins/${id}/dereferenced?interfaces.listable=${integration.id}`);

    expect(await ask(hidden.id)).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(await ask(plugin.id)).toMatchObject({ status: 413, body: { type: 'LimitExceeded' } });
  });
});
