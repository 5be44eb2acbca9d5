/** Optimistic concurrency control by `If-Match`. */
import { ApiError } from '#shared/core/errors.ts';

/**
 * The version that a change of a record is conditional on, if any.
 * @throws ApiError ResourceLockedConflict when the record has another version
 */
export function requireVersion(ifMatch: string | undefined, version: number | undefined): number | undefined {
  if (ifMatch === undefined) return undefined;
  if (ifMatch !== String(version ?? 0)) throw versionMismatch();
  return version ?? 0;
}

export const versionMismatch = () =>
  new ApiError(
    'ResourceLockedConflict',
    'The record has changed since you read it: its version differs from If-Match. Read it again and retry.',
  );
