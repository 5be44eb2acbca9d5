/** Generates `docs/reference/*.md`: one page per group of operations. */

import { callersOf } from '#infra/gateway/reference/callers.ts';
import { errorsOf } from '#infra/gateway/reference/errorsOf.ts';
import { inputSchema, type JsonSchema, jsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { limitsOf } from '#infra/gateway/reference/limitsOf.ts';
import { referenceOf } from '#infra/gateway/reference/operationReferences.ts';
import { headersOf } from '#infra/gateway/reference/referenceDocument.ts';
import { type ObjectSchema, pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { GROUP_NAMES, GROUPS, type Group, operationsIn } from './groups.ts';
import { code, page, type Row, table } from './markdown.ts';
import { limitsOf as fieldLimits, fieldsOf, typeOf } from './schemaFields.ts';
import { sharedShapes } from './sharedShapes.ts';

type Shapes = ReadonlyMap<string, string>;

export const referencePages = (): Record<Group, string> =>
  Object.fromEntries(GROUP_NAMES.map(group => [group, referencePage(group)])) as Record<Group, string>;

function referencePage(group: Group): string {
  const { title, intro, baseUrl } = GROUPS[group];
  const operations = operationsIn(group);
  const shapes = sharedShapes(operations.flatMap(each => (each.streams ? [] : [outputSchema(each)])));
  return page(
    `# ${title}`,
    intro,
    `Base URL: ${code(baseUrl)}. [Body limits](../api/conventions.md#body-limits). [Errors](../api/conventions.md#errors).`,
    table(
      ['Operation', 'Route'],
      operations.map(({ name, method, path }) => [`[${name}](#${name.toLowerCase()})`, code(`${method} ${path}`)]),
    ),
    ...operations.flatMap(each => operationSection(each, shapes)),
    ...shapeSections(shapes),
  );
}

const operationSection = (operation: Operation, shapes: Shapes): string[] => [
  `## ${operation.name}`,
  code(`${operation.method} ${operation.path}`),
  operation.summary,
  facts(operation),
  ...titled('Input', ['Field', 'In', 'Type', 'Required', 'Limits'], inputRows(operation)),
  ...outputSection(operation, shapes),
  ...exampleSection(operation, GROUPS[operation.group].baseUrl),
];

function facts(operation: Operation): string {
  const limits = limitsOf(operation);
  const headers = [...scopeHeaders(operation), ...headersOf(operation).map(({ name }) => code(name))];
  return [
    `- Callers: ${callersOf(operation)}`,
    `- Status: ${operation.statuses.join(' or ')}`,
    ...(limits.length > 0 ? [`- Limits: ${limits.join(', ')}`] : []),
    ...(headers.length > 0 ? [`- Headers: ${headers.join(', ')}`] : []),
    ...(operation.api === 'webhook' ? [] : [`- Errors: ${errorTypes(operation).join(', ')}`]),
  ].join('\n');
}

/** Returns the types of errors by status. The OpenAPI document contains their causes. */
function errorTypes(operation: Operation): string[] {
  const errors = errorsOf(operation);
  return [...new Set(errors.map(({ status }) => status))].map(status => {
    const types = new Set(errors.filter(each => each.status === status).map(({ type }) => code(type)));
    return `${status} ${[...types].join(' ')}`;
  });
}

/** Returns the example that a test sends, as a command. */
function exampleSection(operation: Operation, baseUrl: string): string[] {
  const example = referenceOf(operation).example;
  if (!example) return [];
  const path = operation.path.replace(/\{(\w+)\+?\}/g, (_, name) => example.path?.[name] ?? `{${name}}`);
  const query = new URLSearchParams(example.query).toString();
  const headers = { ...credentialsOf(operation), ...example.headers };
  const parts = [
    `curl${operation.method === 'GET' ? '' : ` -X ${operation.method}`} ${quoted(baseUrl + path + (query && `?${query}`))}`,
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${(value.includes('$') ? expanding : quoted)(`${name}: ${value}`)}`,
    ),
    ...(operation.body
      ? ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(example.body ?? {}))}`]
      : []),
  ];
  return ['**Example**', ['```sh', parts.join(' \\\n  '), '```'].join('\n')];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes a text so that the shell expands its variables. */
const expanding = (text: string) => `"${text}"`;

function credentialsOf(operation: Operation): Record<string, string> {
  if (operation.api !== 'platform') {
    if (operation.api === 'webhook') return {};
    const { who } = operation.access;
    if (who === 'admin') return { 'x-admin-secret': '$ADMIN_SECRET' };
    return who === 'anyone' || who === 'guest' ? {} : { 'x-user-key': '$KEY' };
  }
  switch (operation.scope) {
    case 'public':
      return {};
    case 'token':
    case 'self':
      return { authorization: 'Bearer $TOKEN' };
    case 'bot':
      return { authorization: 'Bearer $TOKEN', 'x-bot-id': '$BOT' };
    default:
      return { authorization: 'Bearer $TOKEN', 'x-workspace-id': '$WORKSPACE' };
  }
}

function scopeHeaders(operation: Operation): string[] {
  if (operation.api !== 'platform') return operation.access.who === 'anyone' ? [] : [code('x-user-key')];
  switch (operation.scope) {
    case 'public':
      return [];
    case 'token':
    case 'self':
      return [code('Authorization')];
    case 'bot':
      return [code('Authorization'), code('x-bot-id')];
    case 'workspace':
      return [code('Authorization'), `${code('x-workspace-id')} (accounts only)`];
    case 'account':
      return [code('Authorization'), code('x-workspace-id')];
  }
}

const inputRows = (operation: Operation): Row[] => [
  ...pathVariables(operation.path).map(name => [code(name), 'path', 'string', 'yes', '']),
  ...rowsOf('query', operation.query),
  ...rowsOf('header', operation.headers),
  ...rowsOf('body', operation.body),
];

const rowsOf = (place: string, schema: ObjectSchema | undefined): Row[] =>
  schema
    ? fieldsOf(inputSchema(schema) as JsonSchema).map(({ name, type, isRequired, limits }) => [
        code(name),
        place,
        type,
        isRequired ? 'yes' : '',
        limits,
      ])
    : [];

function outputSection(operation: Operation, shapes: Shapes): string[] {
  if (operation.streams) {
    const schema = jsonSchema(operation.streams, 'output');
    if (operation.streamsAs === 'lines')
      return titled('Output of each line', OUTPUT_COLUMNS, outputRows(schema, shapes));
    return [`Output: server-sent events, whose data is one of ${fieldLimits(schema)}.`];
  }
  const schema = outputSchema(operation);
  if (shapes.has(JSON.stringify(schema))) return [`Output: ${typeOf(schema, shapes)}.`];
  const rows = outputRows(schema, shapes);
  return rows.length > 0 ? titled('Output', OUTPUT_COLUMNS, rows) : ['Output: an empty object.'];
}

const OUTPUT_COLUMNS = ['Field', 'Type', 'Values'];

const outputSchema = ({ output }: Operation) => jsonSchema(output, 'output');

const outputRows = (schema: JsonSchema, shapes: Shapes): Row[] =>
  fieldsOf(schema, shapes).map(({ name, type, isRequired, limits }) => [
    code(name),
    isRequired ? type : `${type}, optional`,
    limits,
  ]);

function shapeSections(shapes: Shapes): string[] {
  const byName = [...shapes].sort(([, a], [, b]) => a.localeCompare(b));
  const sections = byName.flatMap(([json, name]) => [
    `### ${name}`,
    table(OUTPUT_COLUMNS, outputRows(JSON.parse(json), shapes)),
  ]);
  return sections.length > 0 ? ['## Shapes', ...sections] : [];
}

const titled = (title: string, columns: Row, rows: readonly Row[]): string[] =>
  rows.length > 0 ? [`**${title}**`, table(columns, rows)] : [];
