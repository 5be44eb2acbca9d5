/** Changes of maps, key by key, and of versions. */

import { TAGS_LIMIT } from './api/platform/inputs.ts';
import type { Tags } from './dynamodb/tags.ts';
import type { ItemChange } from './dynamodb/update.ts';
import { ApiError, invalidPayload } from './errors.ts';

/** What changes of a map. */
interface MapChange {
  /** By key; null takes one away. */
  changes: Record<string, string | null>;
  /** Values that were not there. */
  added: Tags;
  newKeys: string[];
  goneKeys: string[];
}

/**
 * @param wanted by key; an empty value or null takes one away
 * @param before the map as it was read
 * @param of the map's name, and keys that follow from the record and cannot be set
 * @throws ApiError InvalidPayload
 */
export function changesOf(
  wanted: Record<string, string | null>,
  before: Tags,
  { name, derived = {} }: { name: 'tags' | 'properties' | 'attributes'; derived?: Tags },
): MapChange {
  const change: MapChange = { changes: {}, added: {}, newKeys: [], goneKeys: [] };
  for (const [key, value] of Object.entries(wanted)) {
    // Some names are also those of what every object has.
    const isThere = Object.hasOwn(before, key);
    if (Object.hasOwn(derived, key))
      throw invalidPayload('This tag follows from the record, and cannot be set.', `tags.${key}`);
    if (value) {
      change.changes[key] = value;
      if (!isThere) change.newKeys.push(key);
      if (!isThere || before[key] !== value) change.added[key] = value;
    } else if (isThere) {
      change.changes[key] = null;
      change.goneKeys.push(key);
    }
  }
  const size = Object.keys(before).length + change.newKeys.length - change.goneKeys.length;
  if (change.newKeys.length > 0 && size > TAGS_LIMIT) {
    throw invalidPayload(`A record has at most ${TAGS_LIMIT} ${name}; this would make ${size}.`, name);
  }
  return change;
}

/** The conditions under which maps stay within their limit, whoever else changes them. */
export function tagConditions(maps: Record<string, MapChange>): Pick<ItemChange, 'conditions' | 'names' | 'values'> {
  const conditions: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  Object.entries(maps).forEach(([map, { newKeys, goneKeys }], i) => {
    if (newKeys.length === 0) return;
    names[`#m${i}`] = map;
    values[`:room${i}`] = TAGS_LIMIT - newKeys.length + goneKeys.length;
    conditions.push(`size(#m${i}) <= :room${i}`);
    // Room is made only by what is still there to be taken away.
    goneKeys.forEach((key, j) => {
      names[`#g${i}x${j}`] = key;
      conditions.push(`attribute_exists(#m${i}.#g${i}x${j})`);
    });
  });
  return { conditions, names, values };
}

/**
 * The version that a change is conditional on, of records that count theirs.
 * @throws ApiError ResourceLockedConflict when it is another already
 */
export function requireVersion(ifMatch: string | undefined, version: number | undefined): number | undefined {
  if (ifMatch === undefined) return undefined;
  if (ifMatch !== String(version ?? 0)) throw lostRace();
  return version ?? 0;
}

/** The record is no more what the caller saw of it. */
export const lostRace = () =>
  new ApiError('ResourceLockedConflict', 'This was changed since you read it: its version is not the one of If-Match.');
