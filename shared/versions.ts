/** Versions of integrations, interfaces and plugins, and what asks for one: a version, `latest` or a range (semver). */
import validVersion from 'semver/functions/valid.js';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';
import { invalidPayload } from './errors.ts';

const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?$/;
/** Longer ones only cost time. */
const WANTED_LENGTH = 200;
const LATEST = 'latest';

export const isVersion = (text: string) => VERSION.test(text);

/** @throws ApiError InvalidPayload for what is neither a version, nor `latest`, nor a range */
export function requireWantedVersion(text: string, path = 'version'): void {
  if (isVersion(text) || text === LATEST) return;
  if (text.length <= WANTED_LENGTH && validRange(text) !== null) return;
  throw invalidPayload('Must be a version like 1.0.0, a range like ^1.0.0 or <2.0.0, or latest', path);
}

/**
 * The newest version that is asked for. A prerelease only if the range names one, or if nothing else would do.
 * @param wanted `latest` or a range
 */
export function chooseVersion(versions: readonly string[], wanted: string): string | undefined {
  const known = versions.filter(version => validVersion(version) !== null);
  const range = wanted === LATEST ? '*' : wanted;
  const chosen = maxSatisfying(known, range) ?? maxSatisfying(known, range, { includePrerelease: true });
  return chosen ?? undefined;
}
