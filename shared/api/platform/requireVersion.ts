import { ApiError } from '#shared/core/errors.ts';

/** Returns the version that a write must find. @throws ApiError ResourceLockedConflict on mismatch */
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
