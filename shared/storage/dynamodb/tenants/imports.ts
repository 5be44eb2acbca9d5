/** Import of a workspace. Writes only items that do not exist. */
import * as z from 'zod/mini';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { hubOwnerKey, hubOwnerPrefix, type NamedKind, packageKey } from '#shared/storage/dynamodb/keys/registry.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { importClaimKey, importKey } from '#shared/storage/dynamodb/keys/transfers.ts';
import {
  accountKey,
  botKey,
  handleKey,
  integrationKey,
  workspaceKey,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { findAccount, setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { IMPORTED } from './portable.ts';
import { TENANT_KINDS, type TenantKind } from './sections.ts';
import type { Tenant } from './tenants.ts';

const Import = z.object({
  checksum: z.string(),
  /** Hash of all lines. Undefined for imports that an earlier release started. */
  contentHash: z.optional(z.string()),
  files: z.number(),
  /** Accounts that existed before the import. Undefined for imports that an earlier release started. */
  joined: z.optional(z.array(z.string())),
  /** Set after the last write, which starts the rebuild of derived data. */
  doneAtMs: z.optional(z.number()),
});
export type Import = z.infer<typeof Import>;

export async function findImport(workspaceId: string): Promise<Import | undefined> {
  const item = await readItem(importKey(workspaceId));
  return item && Import.parse(item);
}

export const recordImport = (workspaceId: string, state: Import): Promise<void> =>
  write([{ put: { Item: { ...importKey(workspaceId), workspaceId, ...state } }, onRefused: unconditional }]);

/**
 * Claims tenants for an unfinished import, so that no other import creates them concurrently. Idempotent.
 * @returns the tenant that another unfinished import has claimed, with the workspace of that import
 */
export async function claimTenants(
  ids: readonly string[],
  workspaceId: string,
): Promise<{ id: string; workspaceId: string } | undefined> {
  for (const id of ids) {
    const key = importClaimKey(id);
    const claim = (condition: string, values: Record<string, string>) =>
      tryWrite({
        put: {
          Item: { ...key, workspaceId },
          ConditionExpression: condition,
          ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
        },
      });
    if (await claim('attribute_not_exists(pk) OR workspaceId = :own', { ':own': workspaceId })) continue;
    const other = String((await readItem(key))?.workspaceId);
    const found = await findImport(other);
    if (found && found.doneAtMs === undefined) return { id, workspaceId: other };
    // That import has ended, or its workspace was erased.
    if (!(await claim('workspaceId = :other', { ':other': other }))) return { id, workspaceId: other };
  }
  return undefined;
}

export async function releaseTenants(ids: readonly string[], workspaceId: string): Promise<void> {
  for (const id of ids) {
    await tryWrite({
      remove: {
        Key: importClaimKey(id),
        ConditionExpression: 'workspaceId = :own',
        ExpressionAttributeValues: { ':own': workspaceId },
      },
    });
  }
}

/** Returns records of any kind whose id is the id of a tenant, by id. */
export async function findTenantRecords(
  tenants: readonly Tenant[],
): Promise<Map<string, { kind: TenantKind; item: Item }[]>> {
  const places = tenants.flatMap(({ id }) => TENANT_KINDS.map(kind => ({ id, kind })));
  const items = await readItems(places.map(({ id, kind }) => RECORD_KEYS[kind](id)));
  const found = new Map<string, { kind: TenantKind; item: Item }[]>();
  for (const [i, { id, kind }] of places.entries()) {
    const item = items[i];
    if (item) found.set(id, [...(found.get(id) ?? []), { kind, item }]);
  }
  return found;
}

const RECORD_KEYS: Record<TenantKind, (id: string) => Key> = {
  account: accountKey,
  bot: botKey,
  integration: integrationKey,
  package: packageKey,
  workspace: workspaceKey,
};

/** Writes an item unless there is one, which is then returned. */
export async function importItem(item: Item): Promise<Item | undefined> {
  const isNew = await tryWrite({
    put: { Item: item as Item & Key, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  return isNew ? undefined : readItem({ pk: item.pk, sk: item.sk });
}

/**
 * Claims the name of a published package for the workspace, as publishing does. Returns false if the name, or the
 * handle in it, belongs to another workspace.
 */
export async function claimImportedName({ sk }: Item, workspaceId: string): Promise<boolean> {
  const parts = String(sk).split('#');
  const [kind, name = ''] = (sk.startsWith(hubOwnerPrefix) ? parts.slice(1) : parts) as [NamedKind, string?];
  if (!NAMED_KINDS.includes(kind)) return true;
  const handle = name.includes('/') ? name.split('/')[0]! : undefined;
  const claimed = handle === undefined ? undefined : await readItem(handleKey(handle));
  const existing = await importItem({ ...hubOwnerKey(kind, name), workspaceId, [IMPORTED]: 1 });
  return [claimed, existing].every(item => !item || item.workspaceId === workspaceId);
}
const NAMED_KINDS: readonly NamedKind[] = ['integration', 'interface', 'plugin'];

/** Adds a membership to an existing account. Returns false if there is none. */
export async function joinImported(accountId: string, workspaceId: string, item: Item): Promise<boolean> {
  const existing = await findAccount(accountId);
  const { [workspaceId]: membership } = item.memberships;
  if (!existing) return false;
  if (membership) await write([setMembership({ id: accountId }, workspaceId, membership)]);
  return true;
}
