import { invalidPayload } from './errors.ts';

const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?$/;
const WANTED_LENGTH = 200;
const LATEST = 'latest';

export const isVersion = (text: string) => VERSION.test(text);

/** @throws ApiError InvalidPayload unless the text is a version, `latest` or a range */
export async function requireVersionRange(text: string, path = 'version'): Promise<void> {
  if (isVersion(text) || text === LATEST) return;
  if (text.length <= WANTED_LENGTH && (await import('./versionRanges.ts')).isRange(text)) return;
  throw invalidPayload('Must be a version like 1.0.0, a range like ^1.0.0 or <2.0.0, or latest', path);
}

export async function chooseVersion(versions: readonly string[], wanted: string): Promise<string | undefined> {
  const { newestWithin } = await import('./versionRanges.ts');
  return newestWithin(versions, wanted === LATEST ? '*' : wanted);
}
