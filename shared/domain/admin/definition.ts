import { gzipSync } from 'node:zlib';
import { ApiError } from '#shared/core/errors.ts';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { own } from '#shared/core/own.ts';

export function mergeDefinitions<V extends { attributes?: Record<string, string | null> | undefined }>(
  before: Record<string, V>,
  changes: Record<string, V | null> | undefined,
): Record<string, V> {
  const merged = applyChanges(before, changes);
  for (const [key, value] of Object.entries(changes ?? {})) {
    if (value?.attributes) {
      merged[key] = { ...value, attributes: applyChanges(own(before, key)?.attributes, value.attributes) };
    }
  }
  return merged;
}

/** Limit per map. The names of actions, interfaces and plugins are also stored in the small item. */
const DECLARATIONS_LIMIT = 500;

export function requireDeclarationLimit(maps: Record<string, object | null | undefined>): void {
  for (const [name, map] of Object.entries(maps)) {
    const count = Object.keys(map ?? {}).length;
    if (count <= DECLARATIONS_LIMIT) continue;
    const message = `${name} may have at most ${DECLARATIONS_LIMIT} entries, not ${count}.`;
    throw new ApiError('LimitExceeded', message, {
      metadata: { limitEntries: DECLARATIONS_LIMIT, issues: [{ path: name, message }] },
    });
  }
}

/** Fits a compressed response within Lambda's 6 MB. */
const RESPONSE_BYTES = 3 * 1024 * 1024;

/** @throws ApiError LimitExceeded when the definition does not fit a response */
export function requireResponseSize(definition: unknown): void {
  const text = JSON.stringify(definition);
  if (text.length * 3 <= RESPONSE_BYTES) return;
  const bytes = gzipSync(text, { level: 1 }).length;
  if (bytes > RESPONSE_BYTES) {
    throw new ApiError(
      'LimitExceeded',
      `The definition, without code, icon and readme, may have at most ${RESPONSE_BYTES} bytes compressed, not ${bytes}.`,
      { metadata: { limitBytes: RESPONSE_BYTES } },
    );
  }
}
