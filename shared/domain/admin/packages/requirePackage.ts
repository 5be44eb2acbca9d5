import { notFound } from '#shared/core/errors.ts';
import { requireVersionRange } from '#shared/core/versions.ts';
import { readTogether } from '#shared/storage/dynamodb/engine/readTogether.ts';
import { findOwnVersion, findPublicVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import {
  findPackage,
  findPackageWithDefinition,
  isPackageVisibleTo,
  type Package,
  type PackageDefinition,
  type PackageKind,
} from '#shared/storage/dynamodb/integrations/packages.ts';

export async function requirePackage(kind: PackageKind, workspaceId: string, id: string): Promise<Package> {
  const found = await findPackage(kind, id);
  if (found?.workspaceId !== workspaceId) throw notFound(`The ${kind} ${id}`);
  return found;
}

export async function requireVisiblePackage(kind: PackageKind, workspaceId: string, id: string): Promise<Package> {
  const found = await findPackage(kind, id);
  if (!found || !isPackageVisibleTo(found, workspaceId)) throw notFound(`The ${kind} ${id}`);
  return found;
}

export async function requireOwnDefinition<Definition = PackageDefinition>(
  kind: PackageKind,
  workspaceId: string,
  id: string,
) {
  const read = await findPackageWithDefinition<Definition>(kind, id, readTogether);
  if (read?.found.workspaceId !== workspaceId) throw notFound(`The ${kind} ${id}`);
  return read;
}

export async function requireVisibleDefinition<Definition = PackageDefinition>(
  kind: PackageKind,
  workspaceId: string,
  id: string,
) {
  const read = await findPackageWithDefinition<Definition>(kind, id);
  if (!read || !isPackageVisibleTo(read.found, workspaceId)) throw notFound(`The ${kind} ${id}`);
  return read;
}

/**
 * Finds the workspace's package by name, or else a public one. CLI versions before 1.0 look up public packages here.
 * @param wanted a version, `latest` or a range
 * @throws ApiError ResourceNotFound, or InvalidPayload for an invalid version
 */
export async function requireDefinitionByName<Definition = PackageDefinition>(
  kind: PackageKind,
  workspaceId: string,
  name: string,
  wanted: string,
) {
  await requireVersionRange(wanted);
  const id = (await findOwnVersion(workspaceId, kind, name, wanted)) ?? (await findPublicVersion(kind, name, wanted));
  if (id === undefined) throw notFound(`The ${kind} ${name} ${wanted}`);
  return requireVisibleDefinition<Definition>(kind, workspaceId, id);
}

export async function requirePublicDefinition<Definition = PackageDefinition>(kind: PackageKind, id: string) {
  const read = await findPackageWithDefinition<Definition>(kind, id);
  if (!read || read.found.visibility === 'private') throw notFound(`The ${kind} ${id} in the hub`);
  return read;
}

/** @throws ApiError ResourceNotFound, or InvalidPayload for an invalid version */
export async function requirePublicDefinitionByName<Definition = PackageDefinition>(
  kind: PackageKind,
  name: string,
  wanted: string,
) {
  await requireVersionRange(wanted);
  const id = await findPublicVersion(kind, name, wanted);
  if (id === undefined) throw notFound(`The ${kind} ${name} ${wanted} in the hub`);
  return requirePublicDefinition<Definition>(kind, id);
}

export async function requirePublicPackage(kind: PackageKind, id: string): Promise<Package> {
  const found = await findPackage(kind, id);
  if (!found || found.visibility === 'private') throw notFound(`The ${kind} ${id} in the hub`);
  return found;
}
