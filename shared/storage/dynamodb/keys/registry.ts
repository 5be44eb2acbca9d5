/**
 * Keys of packages (interfaces and plugins), and of the hub, which lists public packages of all workspaces.
 *
 * | access pattern                             | index      | pk                         | sk                       |
 * |--------------------------------------------|------------|----------------------------|--------------------------|
 * | package by id; its definition              | table      | <package>#package          | package; definition      |
 * | interfaces of a workspace                  | gsi1; gsi2 | <workspace>#interfaces     | <time>#<interface>       |
 * | plugins of a workspace                     | gsi1; gsi2 | <workspace>#plugins        | <time>#<plugin>          |
 * | interface by name and version; their count | table      | <workspace>#interfaceNames | <name>#<version>; #count |
 * | plugin by name and version; their count    | table      | <workspace>#pluginNames    | <name>#<version>; #count |
 * | published by kind, name and version        | table      | hub                        | <kind>#<name>#<version>  |
 * | workspace that owns a published name       | table      | hub                        | owner#<kind>#<name>      |
 * | public workspaces                          | table      | hub                        | workspace#<workspace>    |
 */
import type { Key, Partitions } from './table.ts';
import { integrationNamesPk, versionSk } from './workspace.ts';

export const registryPartitions = {
  packages: ['ifver_*#package', 'plugver_*#package'],
  packageNames: ['wkspace_*#interfaceNames', 'wkspace_*#pluginNames'],
  hub: ['hub'],
} as const satisfies Partitions;

export type PackageKind = 'interface' | 'plugin';

export type NamedKind = PackageKind | 'integration';

export const packagePk = (packageId: string) => `${packageId}#package`;

export const packageSk = 'package';

export const packageKey = (packageId: string): Key => ({ pk: packagePk(packageId), sk: packageSk });

export const packageNamesPk = (workspaceId: string, kind: PackageKind) => `${workspaceId}#${kind}Names`;

export const packageNameKey = (workspaceId: string, kind: PackageKind, name: string, version: string): Key => ({
  pk: packageNamesPk(workspaceId, kind),
  sk: versionSk(name, version),
});

export const packageCountKey = (workspaceId: string, kind: PackageKind): Key => ({
  pk: packageNamesPk(workspaceId, kind),
  sk: '#count',
});

export const hubPk = 'hub';

export const hubPrefix = (kind: NamedKind) => `${kind}#`;

export const hubKey = (kind: NamedKind, name: string, version: string): Key => ({
  pk: hubPk,
  sk: `${hubPrefix(kind)}${versionSk(name, version)}`,
});

export const splitHubSk = (sk: string) => {
  const [, name, version] = sk.split('#') as [string, string, string];
  return { name, version };
};

export const hubOwnerPrefix = 'owner#';

export const hubOwnerKey = (kind: NamedKind, name: string): Key => ({
  pk: hubPk,
  sk: `${hubOwnerPrefix}${kind}#${name}`,
});

export const publicWorkspacePrefix = 'workspace#';

export const publicWorkspaceKey = (workspaceId: string): Key => ({
  pk: hubPk,
  sk: `${publicWorkspacePrefix}${workspaceId}`,
});

export interface VersionsPlace {
  pk: string;
  prefix: string;
}

export const versionsOfWorkspace = (workspaceId: string, kind: NamedKind): VersionsPlace => ({
  pk: kind === 'integration' ? integrationNamesPk(workspaceId) : packageNamesPk(workspaceId, kind),
  prefix: '',
});

export const versionsInHub = (kind: NamedKind): VersionsPlace => ({ pk: hubPk, prefix: hubPrefix(kind) });

export const versionKey = ({ pk, prefix }: VersionsPlace, name: string, version: string): Key => ({
  pk,
  sk: `${prefix}${versionSk(name, version)}`,
});
