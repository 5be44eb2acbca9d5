/** Decides which changes of a package grant access, by comparing the stored package with the changed one. */

import { opensTo } from '#shared/domain/admin/grants/audience.ts';
import { BOOKKEEPING, changedAttribute, type Harmless } from '#shared/domain/admin/grants/changedAttribute.ts';
import type { Package, PackageDefinition } from '#shared/storage/dynamodb/integrations/packages.ts';
import type { InterfaceDefinition, PluginDefinition } from './definitions.ts';

interface PackageState {
  found: Package;
  definition: PackageDefinition;
}

const PACKAGE: Harmless<Package> = {
  updatedAtMs: BOOKKEEPING.updatedAtMs,
  title: 'a text',
  description: 'a text',
  iconKey: 'an image',
  readmeKey: 'a text',
  visibility: 'compared below: only a wider audience grants access',
};

/** A plugin's `dependencies` name the integrations that its code calls, and are therefore not harmless. */
const DEFINITION: Harmless<
  Pick<
    InterfaceDefinition & PluginDefinition,
    | 'entities'
    | 'events'
    | 'actions'
    | 'channels'
    | 'nameTemplate'
    | 'sdkVersion'
    | 'attributes'
    | 'configuration'
    | 'states'
    | 'user'
    | 'conversation'
    | 'message'
  >
> = {
  entities: 'declares data',
  events: 'declares events',
  actions: 'declares actions',
  channels: 'declares channels',
  nameTemplate: 'stored only',
  sdkVersion: 'a label',
  attributes: 'labels that no rule reads',
  configuration: 'declares the form of a configuration',
  states: 'declares data',
  user: 'declares tags',
  conversation: 'declares tags',
  message: 'declares tags',
};

/**
 * Returns the changed field that grants access beyond the caller's token, if any.
 * @param code code that replaces the package's, which runs in bots with their keys
 */
export function grantOfPackage(before: PackageState, after: PackageState, code: object = {}): string | undefined {
  if (Object.values(code).some(each => each !== undefined)) return 'code';
  if (opensTo(before.found.visibility, after.found.visibility)) return 'visibility';
  return (
    changedAttribute<PackageDefinition>(before.definition, after.definition, DEFINITION) ??
    changedAttribute(before.found, after.found, PACKAGE)
  );
}
