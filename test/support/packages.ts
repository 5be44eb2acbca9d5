/** Interfaces and plugins under names of their own: files share a platform, and so its hub. */
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
