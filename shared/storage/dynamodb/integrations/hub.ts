/**
 * A published name belongs to the first workspace that used it until the workspace is deleted, because others may have
 * installed the package.
 */

import { ApiError } from '#shared/core/errors.ts';
import { OutOfTime, type Progress, removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { prefixQuery, queryAll, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  hubKey,
  hubOwnerKey,
  hubOwnerPrefix,
  hubPk,
  hubPrefix,
  type NamedKind,
  publicWorkspaceKey,
  publicWorkspacePrefix,
  splitHubSk,
} from '#shared/storage/dynamodb/keys/registry.ts';
import { handleKey } from '#shared/storage/dynamodb/keys/workspace.ts';

export interface Publishable {
  id: string;
  workspaceId: string;
  name: string;
  version: string;
}

const nameTaken = (kind: NamedKind, name: string) =>
  new ApiError(
    'AlreadyExists',
    `Another workspace has published the ${kind} ${name}. Choose another name, for example with your workspace's handle before it: handle/${name.split('/').at(-1)}.`,
  );

const handleIn = (name: string) => (name.includes('/') ? name.split('/')[0]! : undefined);

const foreignHandle = (kind: NamedKind, name: string) =>
  new ApiError(
    'Forbidden',
    `The ${kind} ${name} cannot be published: ${handleIn(name)} is not the handle of your workspace. Set it with updateWorkspace, or choose a name without it.`,
  );

/** Reserves `acme/…` for the workspace with the handle `acme`, because users expect its packages there. */
const requireHandle = (kind: NamedKind, workspaceId: string, name: string): Write[] => {
  const handle = handleIn(name);
  if (handle === undefined) return [];
  return [
    {
      check: {
        Key: handleKey(handle),
        ConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      },
      onRefused: () => foreignHandle(kind, name),
    },
  ];
};

export const publish = (kind: NamedKind, { id, workspaceId, name, version }: Publishable): Write[] => [
  ...requireHandle(kind, workspaceId, name),
  {
    put: {
      Item: { ...hubOwnerKey(kind, name), workspaceId },
      ConditionExpression: 'attribute_not_exists(pk) OR workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
    },
    onRefused: () => nameTaken(kind, name),
  },
  // No other workspace writes entries of this name.
  { put: { Item: { ...hubKey(kind, name, version), packageId: id, workspaceId } }, onRefused: unconditional },
];

export const withdraw = (kind: NamedKind, { workspaceId, name, version }: Publishable): Write[] => [
  {
    remove: {
      Key: hubKey(kind, name, version),
      ConditionExpression: 'attribute_not_exists(pk) OR workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
    },
    onRefused: () => new WriteConflict(),
  },
];

/** Fails early where {@link publish} would fail. @throws ApiError Forbidden, AlreadyExists */
export async function requirePublishable(kind: NamedKind, workspaceId: string, name: string): Promise<void> {
  const handle = handleIn(name);
  const [owner, handleOwner] = await Promise.all([
    readItem(hubOwnerKey(kind, name)),
    handle === undefined ? undefined : readItem(handleKey(handle)),
  ]);
  if (handle !== undefined && handleOwner?.workspaceId !== workspaceId) throw foreignHandle(kind, name);
  if (owner && owner.workspaceId !== workspaceId) throw nameTaken(kind, name);
}

export interface HubEntry {
  id: string;
  name: string;
  version: string;
  position: string;
}

export async function listPublished(
  kind: NamedKind,
  {
    name,
    version,
    after,
    limit,
  }: { name?: string | undefined; version?: string | undefined; after?: string | undefined; limit?: number } = {},
): Promise<HubEntry[]> {
  const prefix = name === undefined ? hubPrefix(kind) : hubKey(kind, name, '').sk;
  const found: HubEntry[] = [];
  const query = {
    ...prefixQuery(hubPk, prefix),
    ConsistentRead: true,
    ExclusiveStartKey: after === undefined ? undefined : { pk: hubPk, sk: after },
    // A filter by version may match few entries per page.
    ...(limit === undefined || version !== undefined ? {} : { Limit: limit }),
  };
  for await (const { sk, packageId } of queryAll(query)) {
    const entry = { id: packageId, position: sk, ...splitHubSk(sk) };
    if (version === undefined || entry.version === version) found.push(entry);
    if (found.length === limit) break;
  }
  return found;
}

/** Releases a deleted workspace's names. @throws OutOfTime */
export async function releaseNames(workspaceId: string, progress: Progress): Promise<void> {
  for await (const { pk, sk, workspaceId: owner } of queryAll(prefixQuery(hubPk, hubOwnerPrefix))) {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    if (owner !== workspaceId) continue;
    await removeAll([{ pk, sk }]);
    progress.removed++;
  }
}

export const showWorkspaceInHub = (workspaceId: string, isPublic: boolean): Write =>
  isPublic
    ? { put: { Item: publicWorkspaceKey(workspaceId) }, onRefused: unconditional }
    : { remove: { Key: publicWorkspaceKey(workspaceId) }, onRefused: unconditional };

export async function listPublicWorkspaceIds(after: string | undefined): Promise<string[]> {
  const ids: string[] = [];
  const query = {
    ...prefixQuery(hubPk, publicWorkspacePrefix),
    ConsistentRead: true,
    ExclusiveStartKey: after === undefined ? undefined : publicWorkspaceKey(after),
  };
  for await (const { sk } of queryAll(query)) ids.push(sk.slice(publicWorkspacePrefix.length));
  return ids;
}

export async function filterPublicWorkspaceIds(ids: readonly string[]): Promise<string[]> {
  const items = await readItems(ids.map(publicWorkspaceKey));
  return ids.filter((_, i) => items[i]);
}

export const removeWorkspaceFromHub = (workspaceId: string): Promise<void> =>
  removeAll([publicWorkspaceKey(workspaceId)]);
