/** Changes of maps (tags, properties, attributes), key by key. */
import { invalidPayload } from './errors.ts';

/** The most keys that a map of a record may have. */
export const TAGS_LIMIT = 50;

export interface MapChange {
  /** By key; null removes one. */
  changes: Record<string, string | null>;
  /** The keys whose value is new or different. */
  added: Record<string, string>;
  newKeys: string[];
  removedKeys: string[];
}

/**
 * Works out how a map changes.
 * @param requested by key; an empty value or null removes one
 * @param before the map as it was read
 * @param options the map's name, and its derived keys, which follow from the record and cannot be set
 * @throws ApiError InvalidPayload for a derived key or too many keys
 */
export function changesOf(
  requested: Record<string, string | null>,
  before: Record<string, string>,
  { name, derived = {} }: { name: 'tags' | 'properties' | 'attributes'; derived?: Record<string, string> },
): MapChange {
  const change: MapChange = { changes: {}, added: {}, newKeys: [], removedKeys: [] };
  for (const [key, value] of Object.entries(requested)) {
    // Not `key in before`: a tag may be called `constructor`.
    const isKnown = Object.hasOwn(before, key);
    if (Object.hasOwn(derived, key)) {
      throw invalidPayload('This tag is derived from the record and cannot be set.', `tags.${key}`);
    }
    if (value) {
      change.changes[key] = value;
      if (!isKnown) change.newKeys.push(key);
      if (!isKnown || before[key] !== value) change.added[key] = value;
    } else if (isKnown) {
      change.changes[key] = null;
      change.removedKeys.push(key);
    }
  }
  const size = Object.keys(before).length + change.newKeys.length - change.removedKeys.length;
  if (change.newKeys.length > 0 && size > TAGS_LIMIT) {
    throw invalidPayload(`A record has at most ${TAGS_LIMIT} ${name}; this would make ${size}.`, name);
  }
  return change;
}

/** The map after its changes: null removes a key. */
export const applyChanges = <V>(
  before: Record<string, V> | undefined,
  changes: Record<string, NoInfer<V> | null> | undefined,
): Record<string, V> =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, V] => entry[1] !== null),
  );
