/** The API reference beside `openapi.json`: a page, and a script that renders the document and calls operations. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLE_HEADERS, consolePolicy } from '#infra/console/policy.ts';
import { compressedHeaders, gzipped } from '#infra/gateway/static/compressedFile.ts';
import { VENDORED_VERSIONS, vendoredFile } from '#infra/vendored/vendoredFiles.ts';

const START = readFileSync(join(import.meta.dirname, 'start.js'), 'utf8');
const version = VENDORED_VERSIONS['@scalar/api-reference'];

/** Hashes the version instead of the content, so that loading the routes does not read 4 MB. */
const hash = createHash('sha256').update(`${version} ${START}`).digest('hex').slice(0, 12);

export const SCRIPT_NAME = `reference-${hash}.js`;

let script: string | undefined;

export function scriptBody(): string {
  script ??= gzipped(`${vendoredFile('reference.js')}\n${START}`);
  return script;
}

/** Contains nothing specific to an API, so the same text works at any host and path. */
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
    <noscript>
      This page needs JavaScript. The same reference is in <a href="openapi.json">openapi.json</a> and in the
      <a href="docs/conventions">guides</a>.
    </noscript>
    <script src="docs/${SCRIPT_NAME}"></script>
  </body>
</html>
`;

/** Allows the page to call only the API that serves it. */
export const PAGE_HEADERS = {
  ...CONSOLE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': consolePolicy({ called: [], shown: [] }),
};

export const SCRIPT_HEADERS = compressedHeaders('text/javascript', 'public, max-age=31536000, immutable');
