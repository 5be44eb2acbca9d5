import { chooseVersion, isVersion } from '#shared/core/versions.ts';
import { type Item, prefixQuery, queryAll, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import {
  type NamedKind,
  type VersionsPlace,
  versionKey,
  versionsInHub,
  versionsOfWorkspace,
} from '#shared/storage/dynamodb/keys/registry.ts';

export type { NamedKind } from '#shared/storage/dynamodb/keys/registry.ts';

const isName = (text: string) => /^[\w/-]{1,100}$/.test(text);

const VERSION_LENGTH = 50;

const idOf = (item: Item): string => item.packageId ?? item.integrationId;

/** Returns the id of a workspace's own version. @param wanted a version, `latest` or a range */
export const findOwnVersion = (workspaceId: string, kind: NamedKind, name: string, wanted: string) =>
  findVersion(versionsOfWorkspace(workspaceId, kind), name, wanted);

export const findPublicVersion = (kind: NamedKind, name: string, wanted: string) =>
  findVersion(versionsInHub(kind), name, wanted);

async function findVersion(place: VersionsPlace, name: string, wanted: string): Promise<string | undefined> {
  if (!isName(name)) return undefined;
  if (isVersion(wanted)) {
    if (wanted.length > VERSION_LENGTH) return undefined;
    const item = await readItem(versionKey(place, name, wanted));
    return item && idOf(item);
  }
  const { pk, sk: prefix } = versionKey(place, name, '');
  const ids = new Map<string, string>();
  for await (const item of queryAll({ ...prefixQuery(pk, prefix), ConsistentRead: true })) {
    ids.set(item.sk.slice(prefix.length), idOf(item));
  }
  const chosen = await chooseVersion([...ids.keys()], wanted);
  return chosen === undefined ? undefined : ids.get(chosen);
}
