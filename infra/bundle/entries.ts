/** The functions to bundle and the source of each one's entry: the line that makes a declaration a Lambda handler. */
import { join } from 'node:path';
import * as consumers from '#functions/events/index.ts';
import {
  API_ROOT,
  apis,
  REFERENCE_PAGE,
  REFERENCE_SCRIPT,
  WEBCHAT_SCRIPT,
  WEBCHAT_STYLE,
} from '#infra/gateway/apis.ts';
import { ABSENT, HEALTH, PREFLIGHT } from '#infra/gateway/gatewayDocument.ts';
import { PAGE, PAGE_HEADERS, SCRIPT_HEADERS, scriptBody } from '#infra/gateway/reference/page.ts';
import { references } from '#infra/gateway/referenceDocument.ts';
import {
  CLIENT_SCRIPT_HEADERS,
  CLIENT_STYLE_HEADERS,
  clientScript,
  clientStyle,
} from '#infra/gateway/webchat/client.ts';
import { type Access, accessOf } from '#infra/stack/access.ts';
import { VERSION } from '#infra/version.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** Holds `<function name>/index.js` for every function. */
export const BUNDLES = join(ROOT, 'dist', 'functions');

/** Texts that are only read where they are bundled, by the specifier that stands for them. */
export const TEXT_MODULES: Record<string, () => string> = {
  'text:reference-script': scriptBody,
  'text:webchat-script': clientScript,
  'text:webchat-style': clientStyle,
};

const textFile = (specifier: string, headers: Record<string, string>): string =>
  `import { staticFile } from '#functions/staticFile.ts';
     import body from '${specifier}';
     export const handler = staticFile({ headers: ${JSON.stringify(headers)}, body, isBase64Encoded: true });`;

const operations: readonly Operation[] = apis.flatMap(each => each.operations);

export const entries: ReadonlyMap<string, string> = new Map([
  ...operations.map((operation): [string, string] => [functionNameOf(operation), operationEntry(operation)]),
  ...Object.values(consumers).map(({ name }): [string, string] => [
    name,
    `import { ${name} } from '#functions/events/${name}.ts';
     export const handler = ${name}.handle;`,
  ]),
  ...[PREFLIGHT, HEALTH, ABSENT].map((name): [string, string] => [
    name,
    `export { ${name} as handler } from '#functions/${name}.ts';`,
  ]),
  [
    API_ROOT,
    `import { apiRoot } from '#functions/apiRoot.ts';
     export const handler = apiRoot(${JSON.stringify(VERSION)});`,
  ],
  // A finished text: a function that built the document would have to bundle every operation.
  ...references.map(({ functionName, text }): [string, string] => [
    functionName,
    `import { jsonText } from '#functions/jsonText.ts';
     export const handler = jsonText(${JSON.stringify(text)});`,
  ]),
  [
    REFERENCE_PAGE,
    `import { staticFile } from '#functions/staticFile.ts';
     export const handler = staticFile(${JSON.stringify({ headers: PAGE_HEADERS, body: PAGE })});`,
  ],
  [REFERENCE_SCRIPT, textFile('text:reference-script', SCRIPT_HEADERS)],
  [WEBCHAT_SCRIPT, textFile('text:webchat-script', CLIENT_SCRIPT_HEADERS)],
  [WEBCHAT_STYLE, textFile('text:webchat-style', CLIENT_STYLE_HEADERS)],
]);

export const functionNames = [...entries.keys()];

/** The access of every function that has any. */
export const accesses: ReadonlyMap<string, Access> = new Map([
  ...operations.map((operation): [string, Access] => [functionNameOf(operation), accessOf(operation)]),
  ...Object.values(consumers).map((consumer): [string, Access] => [consumer.name, consumer]),
]);

function operationEntry({ name, group, api, streams }: Operation): string {
  const handler = `${api}Handler(${name})`;
  return `import { ${name} } from '#functions/${group}/${name}.ts';
     import { ${api}Handler } from '#shared/api/chain.ts';
     ${streams ? "import { streamed } from '#shared/api/lambdaStream.ts';" : ''}
     export const handler = ${streams ? `streamed('${name}', ${handler})` : handler};`;
}
