import { describe, expect, it } from 'vitest';
import { newPluginWithInterface } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/plugins/{id}/dereferenced', () => {
  it('returns the entities of the integrations that implement the interfaces', async () => {
    const workspace = await newWorkspace();
    const { plugin, integration, task } = await newPluginWithInterface(workspace);

    const { plugin: found } = await workspace.owner.client.getDereferencedPlugin({
      id: plugin.id,
      interfaces: { listable: integration.id },
    });

    expect(found.actions.take!.input.schema).toEqual({ properties: { it: task } });
    expect({ ...found, actions: plugin.actions }).toEqual(plugin);
  });

  it('keeps references to other interfaces', async () => {
    const workspace = await newWorkspace();
    const { plugin } = await newPluginWithInterface(workspace);

    const { body } = await workspace.call('GET', `/plugins/${plugin.id}/dereferenced?interfaces={}`);

    expect(body.plugin).toEqual(plugin);
  });

  it('returns 400 for an unknown alias or integration, for one that lacks the interface, and without interfaces', async () => {
    const [workspace, theirs] = [await newWorkspace(), await newWorkspace()];
    const { plugin } = await newPluginWithInterface(workspace);
    const { integration: foreign } = await newPluginWithInterface(theirs);
    const { integration: plain } = await workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
    const ask = (query: string) => workspace.call('GET', `/plugins/${plugin.id}/dereferenced${query}`);

    const answers = await Promise.all([
      ask(`?interfaces.other=${plain.id}`),
      ask('?interfaces.listable=nothing'),
      ask(`?interfaces.listable=${foreign.id}`),
      ask(`?interfaces.listable=${plain.id}`),
    ]);

    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
    expect(await ask('')).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
  });
});
