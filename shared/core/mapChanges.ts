import { invalidPayload } from './errors.ts';

export const TAGS_LIMIT = 50;

export interface MapChange {
  changes: Record<string, string | null>;
  added: Record<string, string>;
  newKeys: string[];
  removedKeys: string[];
}

/**
 * Computes a change. An empty value or null removes a key. `derived` keys are read-only. @throws ApiError
 * InvalidPayload
 */
export function changesOf(
  requested: Record<string, string | null>,
  before: Record<string, string>,
  { name, derived = {} }: { name: 'tags' | 'properties' | 'attributes'; derived?: Record<string, string> },
): MapChange {
  const change: MapChange = { changes: {}, added: {}, newKeys: [], removedKeys: [] };
  for (const [key, value] of Object.entries(requested)) {
    // A tag may be named `constructor`, so `key in before` would be wrong.
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
    throw invalidPayload(`A record can have at most ${TAGS_LIMIT} ${name}; this change results in ${size}.`, name);
  }
  return change;
}

export const applyChanges = <V>(
  before: Record<string, V> | undefined,
  changes: Record<string, NoInfer<V> | null> | undefined,
): Record<string, V> =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, V] => entry[1] !== null),
  );
