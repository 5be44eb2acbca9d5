/**
 * One JSON object per item, with sorted attributes, so an item always produces the same bytes. Bytes are `{ "$bytes":
 * base64 }`; maps with conflicting names are `{ "$map": [[name, value], …] }`.
 */

import { loadItemValue, storeValue, withoutStoredValue } from '#shared/storage/dynamodb/largeValue.ts';
import type { Item } from '#shared/storage/dynamodb/query.ts';
import { isDefinition } from '#shared/storage/dynamodb/secrets/sealedPlaces.ts';
import { kindOf, tenantOf } from '#shared/storage/dynamodb/tenants/kinds.ts';
import { IMPORTED, toPortable } from '#shared/storage/dynamodb/tenants/portable.ts';
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

export async function itemOf(text: string, secrets: Secrets): Promise<{ kind: string; item: Item }> {
  const { kind, item } = JSON.parse(text) as { kind: string; item: unknown };
  const decoded = transferSecrets(kind, decode(item) as Item, secrets.import);
  if (typeof decoded.pk !== 'string' || typeof decoded.sk !== 'string') throw new Error('The line has no key.');
  if (kindOf(decoded).kind !== kind) throw new Error(`The line declares ${kind}, but its key is of another kind.`);
  const { value, ...rest } = decoded;
  const own = isDefinition(kind) ? { ...rest, ...(await storeValue(tenantOf(decoded.pk), value)) } : decoded;
  return { kind, item: { ...own, [IMPORTED]: 1 } };
}
