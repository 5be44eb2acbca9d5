import { accountPk, preferenceKey, workspacePk } from '#shared/storage/dynamodb/keys/workspace.ts';
import { loadItemValue, storeValue } from '#shared/storage/dynamodb/largeValue.ts';
import { readItem } from '#shared/storage/dynamodb/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/transaction.ts';

export type PreferenceOwner = { accountId: string } | { workspaceId: string };

const pkOf = (owner: PreferenceOwner) =>
  'accountId' in owner ? accountPk(owner.accountId) : workspacePk(owner.workspaceId);
const tenantOf = (owner: PreferenceOwner) => ('accountId' in owner ? owner.accountId : owner.workspaceId);

export async function findPreference(owner: PreferenceOwner, key: string): Promise<unknown> {
  const item = await readItem(preferenceKey(pkOf(owner), key));
  return item && loadItemValue(item);
}

export async function setPreference(owner: PreferenceOwner, key: string, value: unknown): Promise<Write> {
  const Key = preferenceKey(pkOf(owner), key);
  return value === undefined
    ? { remove: { Key }, onRefused: unconditional }
    : { put: { Item: { ...Key, ...(await storeValue(tenantOf(owner), value)) } }, onRefused: unconditional };
}
