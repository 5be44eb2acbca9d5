import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { isPackageId } from '#shared/core/ids.ts';
import { loadItemValue, putDefinition } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, queryAll, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { workspaceListing, workspaceListPk } from '#shared/storage/dynamodb/keys/lists.ts';
import {
  type PackageKind,
  packageCountKey,
  packageKey,
  packageNameKey,
  packagePk,
} from '#shared/storage/dynamodb/keys/registry.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { definitionKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { publish, withdraw } from './hub.ts';
import { VISIBILITIES } from './integrations.ts';

export type { PackageKind } from '#shared/storage/dynamodb/keys/registry.ts';

const Package = z.object({
  id: z.string(),
  kind: z.enum(['interface', 'plugin']),
  workspaceId: z.string(),
  name: z.string(),
  version: z.string(),
  title: z.string(),
  description: z.string(),
  visibility: z.enum(VISIBILITIES),
  createdBy: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  iconKey: z.optional(z.string()),
  readmeKey: z.optional(z.string()),
  codeKey: z.optional(z.string()),
  browserCodeKey: z.optional(z.string()),
  revision: z.number(),
});
export type Package = z.infer<typeof Package>;
export const parsePackage = (item: Item): Package => Package.parse(item);

export type PackageDefinition = Record<string, unknown>;

export const isPackageVisibleTo = (found: Package, workspaceId: string) =>
  found.workspaceId === workspaceId || found.visibility !== 'private';

export async function findPackage(kind: PackageKind, packageId: string): Promise<Package | undefined> {
  if (!isPackageId(kind, packageId)) return undefined;
  const item = await readItem(packageKey(packageId));
  return item && Package.parse(item);
}

export async function findPackages(kind: PackageKind, ids: readonly string[]): Promise<Map<string, Package>> {
  const items = await readItems([...new Set(ids)].filter(id => isPackageId(kind, id)).map(packageKey));
  return new Map(items.flatMap(item => (item ? [[item.id, Package.parse(item)]] : [])));
}

export async function findPackageWithDefinition<Definition = PackageDefinition>(
  kind: PackageKind,
  packageId: string,
  read = readItems,
): Promise<{ found: Package; definition: Definition } | undefined> {
  if (!isPackageId(kind, packageId)) return undefined;
  const [item, definition] = await read([packageKey(packageId), definitionKey(packagePk(packageId))]);
  if (!item || !definition) return undefined;
  return { found: Package.parse(item), definition: (await loadItemValue(definition)) as Definition };
}

const LISTS = { interface: 'interfaces', plugin: 'plugins' } as const;

export async function listPackages(workspaceId: string, kind: PackageKind): Promise<Package[]> {
  const keys: Key[] = [];
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsiPk = :gsiPk',
    ExpressionAttributeValues: { ':gsiPk': workspaceListPk(workspaceId, LISTS[kind]) },
  };
  for await (const { pk, sk } of queryAll(query)) keys.push({ pk, sk });
  return (await readItems(keys)).flatMap(item => (item ? [Package.parse(item)] : []));
}

const itemOf = (each: Package) => ({
  ...packageKey(each.id),
  ...each,
  ...workspaceListing(each.workspaceId, LISTS[each.kind], each),
});

/** Limit per workspace and kind, because lists read all of them. */
const PACKAGES_LIMIT = 1_000;

const countPackages = (workspaceId: string, kind: PackageKind, change: 1 | -1): Write => ({
  update: {
    Key: packageCountKey(workspaceId, kind),
    UpdateExpression: 'ADD n :change',
    ...(change > 0 ? { ConditionExpression: 'attribute_not_exists(n) OR n < :limit' } : {}),
    ExpressionAttributeValues: { ':change': change, ...(change > 0 ? { ':limit': PACKAGES_LIMIT } : {}) },
  },
  onRefused: () => tooManyPackages(kind),
});

const tooManyPackages = (kind: PackageKind) =>
  new ApiError(
    'LimitExceeded',
    `A workspace may have at most ${PACKAGES_LIMIT} versions of ${LISTS[kind]}. Delete some that are not used.`,
    { metadata: { limitEntries: PACKAGES_LIMIT } },
  );

/** Fails early, before an object is stored for the package. @throws ApiError LimitExceeded */
export async function requireRoomForPackage(workspaceId: string, kind: PackageKind): Promise<void> {
  const count = await readItem(packageCountKey(workspaceId, kind));
  if ((count?.n ?? 0) >= PACKAGES_LIMIT) throw tooManyPackages(kind);
}

export const putNewPackage = async (created: Package, definition: PackageDefinition): Promise<Write[]> => {
  const { id, kind, workspaceId, name, version } = created;
  return [
    {
      put: { Item: itemOf(created), ConditionExpression: 'attribute_not_exists(pk)' },
      onRefused: () => new WriteConflict(),
    },
    await putDefinition(packagePk(id), id, definition),
    {
      put: {
        Item: { ...packageNameKey(workspaceId, kind, name, version), packageId: id },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
      onRefused: () =>
        new ApiError('AlreadyExists', `The workspace already has ${article(kind)} ${kind} ${name} ${version}.`),
    },
    countPackages(workspaceId, kind, 1),
    ...(created.visibility === 'public' ? publish(kind, created) : []),
  ];
};

const article = (kind: PackageKind) => (kind === 'interface' ? 'an' : 'a');
const gone = ({ kind, id }: Package) => notFound(`The ${kind} ${id}`);

export const changePackage = async (
  before: Package,
  after: Package,
  definition: PackageDefinition,
): Promise<Write[]> => [
  {
    put: {
      Item: itemOf({ ...after, revision: before.revision + 1 }),
      ConditionExpression: 'revision = :version',
      ExpressionAttributeValues: { ':version': before.revision },
    },
    onRefused: existing => (existing ? new WriteConflict() : gone(before)),
  },
  await putDefinition(packagePk(before.id), before.id, definition),
  ...hubWrites(before, after),
];

const hubWrites = (before: Package, after: Package): Write[] => {
  if (after.visibility === 'public') return before.visibility === 'public' ? [] : publish(after.kind, after);
  return before.visibility === 'public' ? withdraw(before.kind, before) : [];
};

/** The stream deletes its definition and objects. Fails with {@link WriteConflict} if `before` is outdated. */
export const removePackage = (before: Package): Write[] => [
  {
    remove: {
      Key: packageKey(before.id),
      ConditionExpression: 'revision = :version',
      ExpressionAttributeValues: { ':version': before.revision },
    },
    onRefused: existing => (existing ? new WriteConflict() : gone(before)),
  },
  {
    remove: { Key: packageNameKey(before.workspaceId, before.kind, before.name, before.version) },
    onRefused: unconditional,
  },
  countPackages(before.workspaceId, before.kind, -1),
  ...(before.visibility === 'public' ? withdraw(before.kind, before) : []),
];
