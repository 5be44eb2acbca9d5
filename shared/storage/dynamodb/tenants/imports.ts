/** Import of a workspace. Items are only written where none exists. */
import * as z from 'zod/mini';
import { packageKey } from '#shared/storage/dynamodb/keys/registry.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { importKey } from '#shared/storage/dynamodb/keys/transfers.ts';
import { accountKey, botKey, integrationKey, workspaceKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/query.ts';
import { tryWrite, unconditional, write } from '#shared/storage/dynamodb/transaction.ts';
import { findAccount, setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { TenantKind } from './sections.ts';
import type { Tenant } from './tenants.ts';

const Import = z.object({
  checksum: z.string(),
  files: z.number(),
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

export async function findTenantRecords(tenants: readonly Tenant[]): Promise<Map<string, Item>> {
  const items = await readItems(tenants.map(({ kind, id }) => RECORD_KEYS[kind](id)));
  return new Map(tenants.flatMap(({ id }, i) => (items[i] ? [[id, items[i]]] : [])));
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

/** Adds a membership to an existing account. Returns false if there is none. */
export async function joinImported(accountId: string, workspaceId: string, item: Item): Promise<boolean> {
  const existing = await findAccount(accountId);
  const { [workspaceId]: membership } = item.memberships;
  if (!existing) return false;
  if (membership) await write([setMembership({ id: accountId }, workspaceId, membership)]);
  return true;
}
