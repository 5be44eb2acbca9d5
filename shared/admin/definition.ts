/** What bots and integrations declare: maps that change key by key. */
import { gzipSync } from 'node:zlib';
import { ApiError } from '#shared/errors.ts';

type Map<V> = Record<string, V>;

/** A change of a map: what is null goes, the rest takes the place of what was there. */
export function mergeMap<V>(before: Map<V> | undefined, changes: Map<V | null> | undefined): Map<V> {
  const merged: Map<V> = { ...before };
  for (const [key, value] of Object.entries(changes ?? {})) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}

/** The same, where the values have attributes that change key by key too. */
export function mergeDefinitions<V extends { attributes?: Map<string | null> | undefined }>(
  before: Map<V> | undefined,
  changes: Map<V | null> | undefined,
): Map<V> {
  const merged = mergeMap(before, changes);
  for (const [key, value] of Object.entries(changes ?? {})) {
    if (value?.attributes)
      merged[key] = { ...value, attributes: mergeMap(before?.[key]?.attributes, value.attributes) };
  }
  return merged;
}

/** A function's answer ends at 6 MB; what is kept must be able to leave again, if only compressed. */
const ANSWERABLE_BYTES = 3 * 1024 * 1024;

/** @throws ApiError LimitExceeded when the definition is too big to be shown ever again */
export function requireAnswerable(definition: unknown): void {
  const text = JSON.stringify(definition);
  if (text.length * 3 <= ANSWERABLE_BYTES) return;
  const bytes = gzipSync(text, { level: 1 }).length;
  if (bytes > ANSWERABLE_BYTES) {
    throw new ApiError(
      'LimitExceeded',
      `All that is declared, but for code, icon and readme, may be at most ${ANSWERABLE_BYTES} bytes compressed, not ${bytes}.`,
      { metadata: { limitBytes: ANSWERABLE_BYTES } },
    );
  }
}
