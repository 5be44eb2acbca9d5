import { ApiError } from '#shared/core/errors.ts';
import { loadItemValue, storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { accountPk, preferenceKey, workspacePk } from '#shared/storage/dynamodb/keys/workspace.ts';
import { countDown, countUp } from './ownerCounts.ts';

export const PREFERENCES_LIMIT = 200;

const tooMany = () =>
  new ApiError(
    'LimitExceeded',
    `An account or workspace can have at most ${PREFERENCES_LIMIT} preferences. Remove one by setting it without a value.`,
  );

export type PreferenceOwner = { accountId: string } | { workspaceId: string };

const pkOf = (owner: PreferenceOwner) =>
  'accountId' in owner ? accountPk(owner.accountId) : workspacePk(owner.workspaceId);
const tenantOf = (owner: PreferenceOwner) => ('accountId' in owner ? owner.accountId : owner.workspaceId);

export async function findPreference(owner: PreferenceOwner, key: string): Promise<unknown> {
  const item = await readItem(preferenceKey(pkOf(owner), key));
  return item && loadItemValue(item);
}

/** @throws ApiError LimitExceeded, from the write, for a new preference beyond {@link PREFERENCES_LIMIT} */
export async function setPreference(owner: PreferenceOwner, key: string, value: unknown): Promise<Write[]> {
  const pk = pkOf(owner);
  const Key = preferenceKey(pk, key);
  const exists = (await readItem(Key)) !== undefined;
  const ConditionExpression = exists ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)';
  const onRefused = () => new WriteConflict();
  if (value === undefined) {
    return exists ? [{ remove: { Key, ConditionExpression }, onRefused }, countDown(pk, 'preferences')] : [];
  }
  const Item = { ...Key, ...(await storeValue(tenantOf(owner), value)) };
  return [
    { put: { Item, ConditionExpression }, onRefused },
    ...(exists ? [] : [countUp(pk, 'preferences', PREFERENCES_LIMIT, tooMany)]),
  ];
}
