/** Preferences: whatever value somebody's tool keeps under a key, of an account or of a workspace. */
import * as z from 'zod/mini';
import { pack, type StoredValue, unpack } from '../storage/bigValue.ts';
import { accountPk, preferenceKey, workspacePk } from './keys.ts';
import { readItem } from './read.ts';
import type { Write } from './write.ts';

export type PreferenceOwner = { accountId: string } | { workspaceId: string };

const pkOf = (owner: PreferenceOwner) =>
  'accountId' in owner ? accountPk(owner.accountId) : workspacePk(owner.workspaceId);
const tenantOf = (owner: PreferenceOwner) => ('accountId' in owner ? owner.accountId : owner.workspaceId);

const Preference = z.object({
  p: z.optional(z.string()),
  z: z.optional(z.instanceof(Uint8Array)),
  o: z.optional(z.string()),
});

/** Undefined when there is none. */
export async function findPreference(owner: PreferenceOwner, key: string): Promise<unknown> {
  const item = await readItem(preferenceKey(pkOf(owner), key));
  return item && unpack(Preference.parse(item) as StoredValue);
}

const unconditional = () => new Error('A write without a condition cannot be refused.');

/** @param value undefined forgets it */
export async function setPreference(owner: PreferenceOwner, key: string, value: unknown): Promise<Write> {
  const Key = preferenceKey(pkOf(owner), key);
  return value === undefined
    ? { remove: { Key }, refused: unconditional }
    : { put: { Item: { ...Key, ...(await pack(tenantOf(owner), value)) } }, refused: unconditional };
}
