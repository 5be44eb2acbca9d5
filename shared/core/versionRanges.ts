/** Separate from `versions.ts`, because few calls specify a range. */
import validVersion from 'semver/functions/valid.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';

export const isRange = (text: string): boolean => validRange(text) !== null;

/** Returns the newest matching version. A prerelease only if the range names one or no release matches. */
export function newestWithin(versions: readonly string[], range: string): string | undefined {
  const known = versions.filter(version => validVersion(version) !== null);
  const chosen = maxSatisfying(known, range) ?? maxSatisfying(known, range, { includePrerelease: true });
  return chosen ?? undefined;
}
