/** Creates interfaces and plugins with unique names, because test files share a platform and its hub. */
import { randomUUID } from 'node:crypto';
import type { AdminClient, TestWorkspace } from './platform.ts';

export const newName = () => `n${randomUUID().slice(0, 13)}`;

export const CODE = { node: 'module.exports = 1;', browser: 'export default 1;' };

type InterfaceFields = Partial<Parameters<AdminClient['createInterface']>[0]>;
type PluginFields = Partial<Parameters<AdminClient['createPlugin']>[0]>;

export const newInterface = async ({ owner }: TestWorkspace, fields: InterfaceFields = {}) =>
  (await owner.client.createInterface({ name: newName(), version: '1.0.0', ...fields })).interface;

export const newPlugin = async ({ owner }: TestWorkspace, fields: PluginFields = {}) =>
  (await owner.client.createPlugin({ name: newName(), version: '1.0.0', code: CODE, ...fields })).plugin;

export const SCHEMA = { schema: { type: 'object' } };

/** Creates a plugin whose action uses an interface's entity, and an integration that implements it as `task`. */
export async function newPluginWithInterface(workspace: TestWorkspace, isPublic = false) {
  const declared = await newInterface(workspace, { entities: { item: SCHEMA }, public: isPublic });
  const visibility = isPublic ? 'public' : 'private';
  const plugin = await newPlugin(workspace, {
    visibility,
    dependencies: { interfaces: { listable: { id: declared.id } } },
    actions: {
      take: { input: { schema: { properties: { it: { $ref: 'interface:listable/entities/item' } } } }, output: SCHEMA },
    },
  });
  const task = { type: 'object', properties: { due: { type: 'string' } } };
  const { integration } = await workspace.owner.client.createIntegration({
    name: newName(),
    version: '1.0.0',
    visibility,
    entities: { task: { schema: task } },
    interfaces: { 'listable<task>': { id: declared.id, entities: { item: { name: 'task' } } } },
  });
  return { plugin, integration, task };
}
