import { join } from 'node:path';
import * as consumers from '#functions/events/index.ts';
import * as socketRoutes from '#functions/socket/index.ts';
import { API_ROOT, apis, GUIDE_PAGE, REFERENCE_PAGE } from '#infra/gateway/apis.ts';
import { COMPRESSED_FILES } from '#infra/gateway/compressedFiles.ts';
import { ABSENT, HEALTH, PREFLIGHT } from '#infra/gateway/gatewayDocument.ts';
import { GUIDE_HEADERS } from '#infra/gateway/guides/guideHeaders.ts';
import { compressedGuides } from '#infra/gateway/guides/guidePages.ts';
import { fileOf } from '#infra/gateway/operationFiles.ts';
import { references } from '#infra/gateway/reference/referenceDocument.ts';
import { PAGE, PAGE_HEADERS } from '#infra/gateway/referencePage/page.ts';
import { VERSION } from '#infra/settings/version.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { type Access, accessOf, accessOfRoute } from './functionAccess.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const BUNDLES = join(ROOT, 'dist', 'functions');

/** Contents of compressed files and pages by import specifier, read when they are bundled. */
export const TEXT_MODULES: ReadonlyMap<string, () => string> = new Map([
  ...COMPRESSED_FILES.map(({ functionName, body }) => [`text:${functionName}`, body] as const),
  [`text:${GUIDE_PAGE}`, compressedGuides],
]);

const operations: readonly Operation[] = apis.flatMap(each => each.operations);

export const entries: ReadonlyMap<string, string> = new Map([
  ...operations.map((operation): [string, string] => [functionNameOf(operation), operationEntry(operation)]),
  ...Object.values(consumers).map(({ name }): [string, string] => [
    name,
    `import { ${name} } from '#functions/events/${name}.ts';
     export const handler = ${name}.handle;`,
  ]),
  ...Object.values(socketRoutes).map((route): [string, string] => [
    functionNameOf(route),
    `import { ${route.name} } from '#functions/socket/${route.name}.ts';
     export const handler = ${route.name}.handle;`,
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
  // Static texts, because generating the document would bundle every operation.
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
  [
    GUIDE_PAGE,
    `import { guidePage } from '#functions/guidePage.ts';
     import pages from 'text:${GUIDE_PAGE}';
     export const handler = guidePage({ headers: ${JSON.stringify(GUIDE_HEADERS)}, pages: () => pages });`,
  ],
  ...COMPRESSED_FILES.map(({ functionName, headers }): [string, string] => [
    functionName,
    `import { staticFile } from '#functions/staticFile.ts';
     import body from 'text:${functionName}';
     export const handler = staticFile({ headers: ${JSON.stringify(headers)}, body, isBase64Encoded: true });`,
  ]),
]);

export const functionNames = [...entries.keys()];

export const accesses: ReadonlyMap<string, Access> = new Map([
  ...operations.map((operation): [string, Access] => [functionNameOf(operation), accessOf(operation)]),
  ...Object.values(socketRoutes).map((route): [string, Access] => [functionNameOf(route), accessOfRoute(route)]),
  ...Object.values(consumers).map((consumer): [string, Access] => [consumer.name, consumer]),
]);

function operationEntry(operation: Operation): string {
  const { name, api, streams } = operation;
  const handler = `${api}Handler(${name})`;
  return `import { ${name} } from '#${fileOf(operation)}';
     import { ${api}Handler } from '#shared/api/chain/chain.ts';
     ${streams ? "import { streamed } from '#shared/api/chain/lambdaStream.ts';" : ''}
     export const handler = ${streams ? `streamed('${name}', ${handler})` : handler};`;
}
