/** Files that `npm run vendor` builds from packages that nothing else installs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export const VENDORED_FILES = join(import.meta.dirname, 'files');

export const vendoredFile = (name: 'reference.js' | 'webchat.js' | 'webchat.css'): Buffer =>
  gunzipSync(readFileSync(join(VENDORED_FILES, `${name}.gz`)));

/** Exact versions, because the built files contain them. */
export const VENDORED_VERSIONS: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'packages/package.json'), 'utf8'),
).dependencies;
