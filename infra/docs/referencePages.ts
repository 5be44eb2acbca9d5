/** Generates `docs/reference/*.md`: one page per group of operations. */

import { callersOf } from '#infra/gateway/reference/callers.ts';
import { clientSample } from '#infra/gateway/reference/clientSample.ts';
import { curlSample } from '#infra/gateway/reference/curlSample.ts';
import { describedSchema, SEGMENTS, variantsOf } from '#infra/gateway/reference/describedSchemas.ts';
import { errorsOf } from '#infra/gateway/reference/errorsOf.ts';
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { limitsOf } from '#infra/gateway/reference/limitsOf.ts';
import { describeParameter } from '#infra/gateway/reference/parameters.ts';
import { headersOf } from '#infra/gateway/reference/referenceDocument.ts';
import { pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { GROUP_NAMES, GROUPS, type Group, operationsIn } from './groups.ts';
import { anchorOf, code, page, type Row, table } from './markdown.ts';
import { fieldsOf, type Shapes, shapeKey, typeOf } from './schemaFields.ts';
import { eventSections, OUTPUT_COLUMNS, outputRows, shapeSections } from './shapeSections.ts';
import { sharedShapes } from './sharedShapes.ts';

export const referencePages = (): Record<Group, string> =>
  Object.fromEntries(GROUP_NAMES.map(group => [group, referencePage(group)])) as Record<Group, string>;

function referencePage(group: Group): string {
  const { title, intro, baseUrl } = GROUPS[group];
  const operations = operationsIn(group);
  const found = sharedShapes(operations.flatMap(schemasOf), new Set(operations.map(({ name }) => anchorOf(name))));
  const shapes = new Map([...found].map(([key, { name }]) => [key, name]));
  return page(
    `# ${title}`,
    intro,
    `Base URL: ${code(baseUrl)}. [Body limits](../api/conventions.md#body-limits). [Errors](../api/conventions.md#errors).`,
    ...clientSection(operations),
    table(
      ['Operation', 'Route'],
      operations.map(({ name, method, path }) => [`[${name}](#${name.toLowerCase()})`, code(`${method} ${path}`)]),
    ),
    ...operations.flatMap(each => operationSection(each, shapes)),
    ...(group === 'botChat' ? eventSections(shapes) : []),
    ...shapeSections([...found.values()], shapes),
  );
}

/** Returns the statements that create the `client` of the page's examples. */
function clientSection(operations: readonly Operation[]): string[] {
  const setups = operations.flatMap(each => clientSample(each)?.setup ?? []);
  const [most] = [...Map.groupBy(setups, setup => setup)].sort(([, a], [, b]) => b.length - a.length);
  return most ? ['Examples use the variables of `.parley/env`, and this client:', block('js', most[0])] : [];
}

const operationSection = (operation: Operation, shapes: Shapes): string[] => [
  `## ${operation.name}`,
  code(`${operation.method} ${operation.path}`),
  operation.summary,
  facts(operation),
  ...titled('Input', ['Field', 'In', 'Type', 'Required', 'Limits', 'Description'], inputRows(operation, shapes)),
  ...outputSection(operation, shapes),
  ...exampleSection(operation),
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

/** Returns the example that a test sends, as a command and as a call of the client. */
function exampleSection(operation: Operation): string[] {
  const curl = curlSample(operation);
  if (curl === undefined) return [];
  const client = clientSample(operation);
  return ['**Example**', block('sh', curl), ...(client ? [block('js', client.call)] : [])];
}

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

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

const inputRows = (operation: Operation, shapes: Shapes): Row[] => [
  ...pathVariables(operation.path).map(name => [
    code(name),
    'path',
    'string',
    'yes',
    '',
    describeParameter(operation, 'path', name),
  ]),
  ...parameterRows(operation, 'query', shapes),
  ...parameterRows(operation, 'headers', shapes),
  ...placeRows('body', describedSchema(operation, 'body'), shapes),
];

/** Parameters have their descriptions apart from the schema. */
function parameterRows(operation: Operation, place: 'query' | 'headers', shapes: Shapes): Row[] {
  const schema = describedSchema(operation, place);
  const name = SEGMENTS[place] as 'query' | 'header';
  for (const [parameter, each] of Object.entries((schema as JsonObjectSchema | undefined)?.properties ?? {}))
    each.description = [describeParameter(operation, name, parameter), each.description].filter(Boolean).join(' ');
  return placeRows(name, schema, shapes);
}

const placeRows = (place: string, schema: JsonSchema | undefined, shapes: Shapes): Row[] =>
  schema
    ? fieldsOf(schema, shapes).map(({ name, type, isRequired, limits, description }) => [
        code(name),
        place,
        type,
        isRequired ? 'yes' : '',
        limits,
        description,
      ])
    : [];

function outputSection(operation: Operation, shapes: Shapes): string[] {
  if (operation.streams) {
    const schema = describedSchema(operation, 'streams')!;
    if (operation.streamsAs === 'lines')
      return titled('Output of each line', OUTPUT_COLUMNS, outputRows(schema, shapes));
    const signals = variantsOf(schema).map(each => typeOf(each, shapes));
    return [`Output: server-sent events, whose data is one of ${signals.join(', ')}.`];
  }
  const schema = describedSchema(operation, 'output')!;
  if (shapes.has(shapeKey(schema))) return [`Output: ${typeOf(schema, shapes)}.`];
  const rows = outputRows(schema, shapes);
  return rows.length > 0 ? titled('Output', OUTPUT_COLUMNS, rows) : ['Output: an empty object.'];
}

const schemasOf = (operation: Operation) =>
  (['query', 'headers', 'body', 'output', 'streams'] as const).flatMap(place => {
    // A streaming operation has no other response.
    const schema = place === 'output' && operation.streams ? undefined : describedSchema(operation, place);
    return schema ? [{ operation: operation.name, schema }] : [];
  });

const titled = (title: string, columns: Row, rows: readonly Row[]): string[] =>
  rows.length > 0 ? [`**${title}**`, table(columns, rows)] : [];
