/**
 * One JSON object per item, with sorted attributes, so an item always produces the same bytes. Bytes are `{ "$bytes":
 * base64 }`; maps with conflicting names are `{ "$map": [[name, value], …] }`.
 */

import { loadItemValue, storeValue, withoutStoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { kindOf, tenantOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { IMPORTED, toPortable } from '#shared/storage/dynamodb/tenants/portable.ts';
import { isDefinition } from '#shared/storage/dynamodb/tenants/sealedPlaces.ts';
import { type Secrets, transferSecrets } from './secrets.ts';

const BYTES = '$bytes';
const MAP = '$map';

function encode(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (value instanceof Set) throw new Error('Sets are not exported. Store a list.');
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]): [string, unknown] => [name, encode(inner)]);
  // Objects sort numeric names first.
  const isPlain = entries.every(([name]) => !name.startsWith('$') && !/^\d+$/.test(name) && name !== '__proto__');
  return isPlain ? Object.fromEntries(entries) : { [MAP]: entries };
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const map = value as Record<string, unknown>;
  if (typeof map[BYTES] === 'string') return new Uint8Array(Buffer.from(map[BYTES], 'base64'));
  if (Array.isArray(map[MAP])) return Object.fromEntries(map[MAP].map(([name, inner]) => [name, decode(inner)]));
  return Object.fromEntries(Object.entries(map).map(([name, inner]) => [name, decode(inner)]));
}

export interface Line {
  kind: string;
  text: string;
}

export async function lineOf(item: Item, secrets: Pick<Secrets, 'export'>): Promise<Line | undefined> {
  const { kind, leftOut } = kindOf(item);
  const portable = leftOut === undefined ? toPortable(kind, item) : undefined;
  if (!portable) return undefined;
  // Secrets are inside a definition's value, which may be compressed or stored as an object.
  const whole = isDefinition(kind)
    ? { ...withoutStoredValue(portable), value: await loadItemValue(portable) }
    : portable;
  return { kind, text: JSON.stringify({ kind, item: encode(transferSecrets(kind, whole, secrets.export)) }) };
}

/**
 * Reads a line of an export. Drops data that exports omit. Returns undefined for an omitted item, such as a key of
 * deployed code. Removes attributes such as `running`, which could name the function of another tenant.
 * @returns the line without these, and its item without a stored value
 * @throws Error for an invalid line
 */
export function parseLine(text: string, secrets: Secrets): (Line & { item: Item }) | undefined {
  const { kind, item } = JSON.parse(text) as { kind: string; item: unknown };
  const decoded = decode(item) as Item;
  if (typeof decoded.pk !== 'string' || typeof decoded.sk !== 'string') throw new Error('The line has no key.');
  const { kind: found, leftOut } = kindOf(decoded);
  if (found !== kind) throw new Error(`The line declares ${kind}, but its key is of another kind.`);
  if (leftOut !== undefined) throw new Error(`Exports do not contain ${kind}: ${leftOut}.`);
  const portable = toPortable(kind, decoded);
  if (!portable) return undefined;
  return {
    kind,
    text: JSON.stringify({ kind, item: encode(portable) }),
    item: transferSecrets(kind, portable, secrets.import),
  };
}

/** Returns the item as it is stored. Stores the value of a definition. */
export async function storedItem(kind: string, item: Item): Promise<Item> {
  if (!isDefinition(kind)) return { ...item, [IMPORTED]: 1 };
  const { value, ...rest } = item;
  return { ...rest, ...(await storeValue(tenantOf(item.pk), value)), [IMPORTED]: 1 } as Item;
}
