/** The published reference of an API (OpenAPI 3.1), served as `openapi.json` beside its operations. */
import { MEGABYTE, pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations.ts';
import { takesUploadedBodies } from '#shared/api/platform/fetchBody.ts';
import { STATUS_OF } from '#shared/errors.ts';
import { type Api, chatApi, platformApi, prefixOf } from './apis.ts';
import { inputSchema, type JsonSchema, jsonSchema } from './jsonSchemas.ts';

/** Paths and parameters have the contract's names, unlike those of the gateway's document. */
export function referenceDocument(api: Api) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of api.operations) {
    paths[operation.path] ??= serversOf(api, operation);
    paths[operation.path]![verbOf(operation)] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: '1' },
    // Relative to the document's own URL.
    servers: [{ url: './' }],
    paths,
    components: {
      schemas: { Error: errorSchema() },
      securitySchemes: {
        userKey: { type: 'apiKey', in: 'header', name: 'x-user-key' },
        token: { type: 'http', scheme: 'bearer' },
        workspace: { type: 'apiKey', in: 'header', name: 'x-workspace-id' },
        bot: { type: 'apiKey', in: 'header', name: 'x-bot-id' },
      },
    },
  };
}

/** Where the operation is not beside the document. */
function serversOf(api: Api, operation: Operation): Record<string, unknown> {
  const prefix = prefixOf(api, operation);
  return prefix === api.prefix ? {} : { servers: [{ url: `..${prefix}` }] };
}

/** OpenAPI has no word for any method. */
const verbOf = ({ method }: Operation) => (method === 'ANY' ? 'post' : method.toLowerCase());

function describeOperation(operation: Operation) {
  const success = {
    description: operation.summary,
    content: operation.streams
      ? streamContent(operation, jsonSchema(operation.streams, 'output'))
      : content(jsonSchema(operation.output, 'output')),
  };
  return {
    operationId: operation.name,
    summary: operation.summary,
    security: securityOf(operation),
    parameters: [
      ...pathVariables(operation.path).map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(operation.query ? parametersIn('query', operation.query) : []),
      ...headersOf(operation),
    ],
    ...(operation.body
      ? {
          requestBody: {
            description: `At most ${bodyLimitOf(operation)}, decompressed.`,
            required: true,
            content: content(jsonSchema(operation.body, 'input')),
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(operation.statuses.map(status => [status, success])),
      default: { description: 'The error.', content: content({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

function securityOf(operation: Operation): Record<string, string[]>[] {
  if (operation.api !== 'platform') return operation.access.who === 'anyone' ? [] : [{ userKey: [] }];
  switch (operation.scope) {
    case 'nowhere':
      return [];
    case 'token':
    case 'self':
      return [{ token: [] }];
    case 'bot':
      return [{ token: [], bot: [] }];
    case 'workspace':
      // Only an account must name the workspace; without it the key of a bot or integration is enough.
      return [{ token: [], workspace: [] }, { token: [] }];
    case 'account':
      return [{ token: [], workspace: [] }];
  }
}

/** The limit on an operation's body, for people: `256 KB`, `50 MB`. */
export const bodyLimitOf = ({ payloadLimitBytes }: Operation) =>
  payloadLimitBytes < MEGABYTE ? `${payloadLimitBytes / 1024} KB` : `${payloadLimitBytes / MEGABYTE} MB`;

/** The headers that an operation understands, besides those that authenticate its caller. */
export function headersOf(operation: Operation) {
  const header = (name: string, schema: JsonSchema = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    schema,
  });
  return [
    ...(operation.method === 'POST' && operation.table === 'writes' && !operation.streams
      ? [header('Idempotency-Key', { type: 'string', maxLength: 255 })]
      : []),
    ...(operation.headers ? parametersIn('header', operation.headers) : []),
    ...(operation.api === 'platform' && takesUploadedBodies(operation) ? [header('x-body-ref')] : []),
    ...(operation.streams && !operation.streamsAs ? [header('Last-Event-ID')] : []),
    ...('isVersioned' in operation && operation.isVersioned ? [header('If-Match')] : []),
  ];
}

function parametersIn(place: 'query' | 'header', schema: NonNullable<Operation['query']>) {
  const { properties = {}, required = [] } = inputSchema(schema);
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: each,
  }));
}

const content = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** An extension describes the events, for which OpenAPI 3.1 has no notation. */
const streamContent = ({ streamsAs }: Operation, signal: JsonSchema): Record<string, unknown> =>
  streamsAs === 'lines'
    ? {
        'application/x-ndjson': {
          schema: { type: 'string', description: 'JSON as in x-line-data.' },
          'x-line-data': signal,
        },
      }
    : eventContent(signal);

const eventContent = (signal: JsonSchema) => ({
  'text/event-stream': {
    schema: { type: 'string', description: 'Events with `id` and `data`: JSON as in x-event-data, or the word ping.' },
    'x-event-data': signal,
  },
});

function errorSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['id', 'code', 'type', 'message'],
    properties: {
      id: { type: 'string', description: 'Also in the log.' },
      code: { type: 'integer', description: 'The HTTP status.' },
      type: { type: 'string', enum: Object.keys(STATUS_OF) },
      message: { type: 'string' },
      metadata: { type: 'object' },
    },
  };
}

/** The functions that serve the references, with the text of each. */
export const references = [
  { functionName: 'chatReference', text: JSON.stringify(referenceDocument(chatApi)) },
  { functionName: 'apiReference', text: JSON.stringify(referenceDocument(platformApi)) },
];
