/** The published reference of an API (OpenAPI 3.1), served as `openapi.json` beside its operations. */

import { type Api, chatApi, platformApi, prefixOf } from '#infra/gateway/apis.ts';
import { pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { acceptsBodyUploads } from '#shared/api/platform/fetchBody.ts';
import { clientSample } from './clientSample.ts';
import { curlSample } from './curlSample.ts';
import { deliveredEvents, deliveredSignals, webhooksOf } from './deliveries.ts';
import { describedSchema } from './describedSchemas.ts';
import { type ErrorResponses, errorResponses, errorSchema } from './errorResponses.ts';
import { exampleOfBody, exampleOfParameter, withResponse } from './exampleParts.ts';
import type { JsonObjectSchema, JsonSchema } from './jsonSchemas.ts';
import { bodyLimitOf } from './limitsOf.ts';
import { describeParameter } from './parameters.ts';
import { guideOfTag, INTRODUCTIONS, SECURITY_SCHEMES, securityOf, tagOf } from './parts.ts';
import { describe } from './texts.ts';

/** Uses the contract's names of paths and parameters, unlike the gateway's document. */
export function referenceDocument(api: Api) {
  const paths: Record<string, Record<string, unknown>> = {};
  const errors = errorResponses();
  for (const operation of api.operations) {
    paths[operation.path] ??= serversOf(api, operation);
    paths[operation.path]![verbOf(operation)] = describeOperation(operation, errors);
  }
  const tags = [...new Set([...api.operations.map(tagOf), api.name === 'api' ? DELIVERIES : OUTGOING])].sort();
  const schemes = new Set(api.operations.flatMap(securityOf).flatMap(Object.keys));
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: '1', description: INTRODUCTIONS[api.name] },
    // Relative to the document's own URL.
    servers: [{ url: './' }],
    tags: tags.map(name => ({ name, description: guideOfTag(name) })),
    paths,
    ...webhooksIn(api),
    components: {
      schemas: { Error: errorSchema() },
      responses: errors.components,
      securitySchemes: Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => schemes.has(name))),
    },
  };
}

const DELIVERIES = 'Deliveries';
const OUTGOING = 'Outgoing webhook';

/** Returns the calls that the platform makes itself. */
function webhooksIn(api: Api) {
  if (api.name === 'api')
    return { webhooks: webhooksOf(deliveredEvents, { tag: DELIVERIES, verb: "Posted to the bot's endpoint." }) };
  return { webhooks: webhooksOf(deliveredSignals(), { tag: OUTGOING, verb: "Posted to the chat's webhook." }) };
}

/** Returns the operation's server if it differs from the document's. */
function serversOf(api: Api, operation: Operation): Record<string, unknown> {
  const prefix = prefixOf(api, operation);
  return prefix === api.prefix ? {} : { servers: [{ url: `..${prefix}` }] };
}

/** OpenAPI has no catch-all method. */
const verbOf = ({ method }: Operation) => (method === 'ANY' ? 'post' : method.toLowerCase());

function describeOperation(operation: Operation, errors: ErrorResponses) {
  const content = operation.streams
    ? streamContent(operation, describedSchema(operation, 'streams')!)
    : jsonContent(describedSchema(operation, 'output')!);
  const { summary, description } = describe(operation);
  return {
    operationId: operation.name,
    summary,
    description,
    tags: [tagOf(operation)],
    security: securityOf(operation),
    'x-codeSamples': codeSamples(operation),
    parameters: [
      ...pathVariables(operation.path).map(name => parameter(operation, 'path', name, { type: 'string' }, true)),
      ...parametersIn(operation, 'query'),
      ...headersOf(operation),
    ],
    ...(operation.body
      ? {
          requestBody: {
            description: `At most ${bodyLimitOf(operation)}, decompressed.`,
            required: true,
            content: {
              'application/json': { schema: describedSchema(operation, 'body')!, ...exampleOfBody(operation) },
            },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        operation.statuses.map(status => [
          status,
          { description: SUCCESSES[status]!, content: withResponse(operation, status, content) },
        ]),
      ),
      ...errors.of(operation),
    },
  };
}

function codeSamples(operation: Operation) {
  const curl = curlSample(operation);
  const client = clientSample(operation);
  return [
    ...(client ? [{ lang: 'JavaScript', label: client.package, source: `${client.setup}\n\n${client.call}` }] : []),
    ...(curl === undefined ? [] : [{ lang: 'Shell', label: 'curl', source: curl }]),
  ];
}

const SUCCESSES: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  302: 'The content is at the URL in the header `Location`.',
};

type Place = 'path' | 'query' | 'header';

function parameter(operation: Operation, place: Place, name: string, described: JsonSchema, required: boolean) {
  // The description belongs to the parameter. The schema has only the words for its pattern.
  const { description: format, ...schema } = described;
  return {
    name,
    in: place,
    description: [describeParameter(operation, place, name), format].filter(Boolean).join(' '),
    required,
    schema,
    ...exampleOfParameter(operation, place, name, schema),
  };
}

/** Returns the headers that an operation supports, without those for authentication. */
export function headersOf(operation: Operation) {
  const header = (name: string, schema: JsonSchema = { type: 'string' }) =>
    parameter(operation, 'header', name, schema, false);
  return [
    ...(operation.method === 'POST' && operation.table === 'writes' && !operation.streams
      ? [header('Idempotency-Key', { type: 'string', maxLength: 255 })]
      : []),
    ...parametersIn(operation, 'header'),
    ...(operation.api === 'platform' && acceptsBodyUploads(operation) ? [header('x-body-ref')] : []),
    ...(operation.streams && !operation.streamsAs ? [header('Last-Event-ID')] : []),
    ...('isVersioned' in operation && operation.isVersioned ? [header('If-Match')] : []),
  ];
}

function parametersIn(operation: Operation, place: 'query' | 'header') {
  const schema = describedSchema(operation, place === 'query' ? 'query' : 'headers');
  const { properties = {}, required = [] } = (schema ?? {}) as JsonObjectSchema;
  return Object.entries(properties).map(([name, each]) =>
    parameter(operation, place, name, each, required.includes(name)),
  );
}

const jsonContent = (schema: JsonSchema): Record<string, JsonSchema> => ({ 'application/json': { schema } });

/** Describes events in an extension, because OpenAPI 3.1 has no notation for them. */
const streamContent = ({ streamsAs }: Operation, signal: JsonSchema): Record<string, JsonSchema> =>
  streamsAs === 'lines'
    ? {
        'application/x-ndjson': {
          schema: { type: 'string', description: 'JSON as in x-line-data.' },
          'x-line-data': signal,
        },
      }
    : {
        'text/event-stream': {
          schema: {
            type: 'string',
            description: 'Events with `id` and `data`: JSON as in x-event-data, or the word ping.',
          },
          'x-event-data': signal,
        },
      };

export const references = [
  { functionName: 'chatReference', text: JSON.stringify(referenceDocument(chatApi)) },
  { functionName: 'apiReference', text: JSON.stringify(referenceDocument(platformApi)) },
];
