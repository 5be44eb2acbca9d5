/**
 * The reference for people, beside `openapi.json`: a page, and one script that shows the document and calls its
 * operations.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CONSOLE_HEADERS, consolePolicy } from '#infra/console/policy.ts';
import { compressedHeaders, gzipped } from '#infra/gateway/compressedFile.ts';

/** The package's folder: its exports name neither the bundle for browsers nor its version. */
const LIBRARY = join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), '..');
const START = readFileSync(join(import.meta.dirname, 'start.js'), 'utf8');
const { version } = JSON.parse(readFileSync(join(LIBRARY, 'package.json'), 'utf8'));

/** Of the library's version, so that a look at the routes does not read its 4 MB. */
const hash = createHash('sha256').update(`${version} ${START}`).digest('hex').slice(0, 12);

export const SCRIPT_NAME = `reference-${hash}.js`;

let script: string | undefined;

/** Returns the gzipped script in base64. */
export function scriptBody(): string {
  script ??= gzipped(`${readFileSync(join(LIBRARY, 'dist/browser/standalone.js'), 'utf8')}\n${START}`);
  return script;
}

/** Names nothing of its API, so that one text serves them all, behind any host and path. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The same reference is in openapi.json beside it.</noscript>
    <script src="docs/${SCRIPT_NAME}"></script>
  </body>
</html>
`;

/** The page calls the API that serves it, and nobody else. */
export const PAGE_HEADERS = {
  ...CONSOLE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': consolePolicy({ called: [], shown: [] }),
};

export const SCRIPT_HEADERS = compressedHeaders('text/javascript', 'public, max-age=31536000, immutable');
