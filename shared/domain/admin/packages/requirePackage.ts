/** Reads the interface or plugin that an operation is about. */

import { notFound } from '#shared/core/errors.ts';
import { requireWantedVersion } from '#shared/core/versions.ts';
import {
  findPackage,
  findPackageWithDefinition,
  isPackageVisibleTo,
  type Package,
  type PackageDefinition,
  type PackageKind,
} from '#shared/storage/dynamodb/integrations/packages.ts';
import { findOwnVersion, findPublicVersion } from '#shared/storage/dynamodb/integrations/versions.ts';
import { readTogether } from '#shared/storage/dynamodb/readTogether.ts';

/** One of this workspace. @throws ApiError ResourceNotFound */
export async function requirePackage(kind: PackageKind, workspaceId: string, id: string): Promise<Package> {
  const found = await findPackage(kind, id);
  if (found?.workspaceId !== workspaceId) throw notFound(`The ${kind} ${id}`);
  return found;
}

/** One that this workspace may read: its own, or one that is not private. @throws ApiError ResourceNotFound */
export async function requireVisiblePackage(kind: PackageKind, workspaceId: string, id: string): Promise<Package> {
  const found = await findPackage(kind, id);
  if (!found || !isPackageVisibleTo(found, workspaceId)) throw notFound(`The ${kind} ${id}`);
  return found;
}

/** One of this workspace with its definition, of the same moment. @throws ApiError ResourceNotFound */
export async function requireOwnDefinition<Definition = PackageDefinition>(
  kind: PackageKind,
  workspaceId: string,
  id: string,
) {
  const read = await findPackageWithDefinition<Definition>(kind, id, readTogether);
  if (read?.found.workspaceId !== workspaceId) throw notFound(`The ${kind} ${id}`);
  return read;
}

/** One that this workspace may read, with its definition. @throws ApiError ResourceNotFound */
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
 * One of this workspace by its name, or else a public one, with its definition. Versions of the command line before 1.0
 * look for public ones here, and not in the hub.
 * @param wanted a version, `latest` or a range
 * @throws ApiError ResourceNotFound, or InvalidPayload for what is not a version
 */
export async function requireDefinitionByName<Definition = PackageDefinition>(
  kind: PackageKind,
  workspaceId: string,
  name: string,
  wanted: string,
) {
  await requireWantedVersion(wanted);
  const id = (await findOwnVersion(workspaceId, kind, name, wanted)) ?? (await findPublicVersion(kind, name, wanted));
  if (id === undefined) throw notFound(`The ${kind} ${name} ${wanted}`);
  return requireVisibleDefinition<Definition>(kind, workspaceId, id);
}

/** One that is not private, by its id: what is unlisted is for whoever knows it. @throws ApiError ResourceNotFound */
export async function requirePublicDefinition<Definition = PackageDefinition>(kind: PackageKind, id: string) {
  const read = await findPackageWithDefinition<Definition>(kind, id);
  if (!read || read.found.visibility === 'private') throw notFound(`The ${kind} ${id} in the hub`);
  return read;
}

/**
 * A public one by its name, likewise.
 * @throws ApiError ResourceNotFound, or InvalidPayload for what is not a version
 */
export async function requirePublicDefinitionByName<Definition = PackageDefinition>(
  kind: PackageKind,
  name: string,
  wanted: string,
) {
  await requireWantedVersion(wanted);
  const id = await findPublicVersion(kind, name, wanted);
  if (id === undefined) throw notFound(`The ${kind} ${name} ${wanted} in the hub`);
  return requirePublicDefinition<Definition>(kind, id);
}

/** One that is not private, without its definition. @throws ApiError ResourceNotFound */
export async function requirePublicPackage(kind: PackageKind, id: string): Promise<Package> {
  const found = await findPackage(kind, id);
  if (!found || found.visibility === 'private') throw notFound(`The ${kind} ${id} in the hub`);
  return found;
}
