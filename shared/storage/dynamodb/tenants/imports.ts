/** The import that a workspace came with, and how its items are written: each only where nothing is. */
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
  /** Tells one export from another. */
  checksum: z.string(),
  /** Files of lines that are written, in their order: an import that was cut short goes on behind them. */
  files: z.number(),
  /** Set once everything is written: what follows from it is made anew then. */
  doneAtMs: z.optional(z.number()),
});
export type Import = z.infer<typeof Import>;

export async function findImport(workspaceId: string): Promise<Import | undefined> {
  const item = await readItem(importKey(workspaceId));
  return item && Import.parse(item);
}

export const recordImport = (workspaceId: string, state: Import): Promise<void> =>
  write([{ put: { Item: { ...importKey(workspaceId), workspaceId, ...state } }, onRefused: unconditional }]);

/** The records of tenants, by id, that are here already. */
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

/** Writes an item unless there is one. @returns the one that is there, if it is another */
export async function importItem(item: Item): Promise<Item | undefined> {
  const isNew = await tryWrite({
    put: { Item: item as Item & Key, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  return isNew ? undefined : readItem({ pk: item.pk, sk: item.sk });
}

/** Makes an account that is there already a member. @returns false when there is none */
export async function joinImported(accountId: string, workspaceId: string, item: Item): Promise<boolean> {
  const existing = await findAccount(accountId);
  const { [workspaceId]: membership } = item.memberships;
  if (!existing) return false;
  if (membership) await write([setMembership({ id: accountId }, workspaceId, membership)]);
  return true;
}
