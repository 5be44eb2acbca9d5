/**
 * The two OpenAPI documents of an interface, both from the operations' declarations: the one API Gateway is built from
 * (and the local gateway, so that both route alike), and the one people read.
 */
import * as z from 'zod/mini';
import { functionNameOf, gatewayVariable, type ObjectSchema, pathVariables } from '#shared/api/operation.ts';
import { type Operation } from '#shared/api/operations.ts';
import { documentedAs } from '#shared/api/verbatim.ts';
import { STATUS_OF } from '#shared/errors.ts';
import type { Api } from './apis.ts';

/** What the gateway starts for a request: an operation, or the answer to a browser's preflight. */
export type FunctionName = string;
export const PREFLIGHT: FunctionName = 'preflight';
export const HEALTH: FunctionName = 'health';

/** The functions behind an interface that are no operations. */
export const extraFunctions = (api: Api): FunctionName[] => [
  PREFLIGHT,
  ...api.extraRoutes.map(({ functionName }) => functionName),
];

interface GatewayMethod {
  operationId?: string;
  parameters: { name: string; in: 'path'; required: true; schema: { type: 'string' } }[];
  responses: Record<string, { description: string }>;
  'x-amazon-apigateway-integration': Record<string, unknown>;
}

export interface GatewayDocument {
  openapi: '3.0.1';
  info: { title: string; version: string };
  paths: Record<string, Record<string, GatewayMethod>>;
}

/** A path as API Gateway takes it: one variable name per place. */
export function gatewayPath({ prefix }: Api, path: string): string {
  let index = 0;
  return prefix + path.replace(/\{\w+\}/g, () => `{${gatewayVariable(index++)}}`);
}

/** What `x-amazon-apigateway-integration` says of a function, and whether it answers with a stream. */
type IntegrationOf = (name: FunctionName, isStream: boolean) => Record<string, unknown>;

export function gatewayDocument(api: Api, integrationOf: IntegrationOf): GatewayDocument {
  const paths: GatewayDocument['paths'] = {};
  const method = (path: string, name: FunctionName, isStream = false): GatewayMethod => ({
    parameters: pathVariables(path).map(variable => ({
      name: variable,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    responses: { default: { description: 'See the published reference.' } },
    'x-amazon-apigateway-integration': integrationOf(name, isStream),
  });
  const routes = [
    ...api.operations.map(each => ({
      ...each,
      operationId: each.name,
      functionName: functionNameOf(each),
      isStream: each.streams !== undefined,
    })),
    ...api.extraRoutes.map(each => ({ ...each, operationId: each.functionName, isStream: false })),
  ];
  for (const { path: ownPath, method: verb, operationId, functionName, isStream } of routes) {
    const path = gatewayPath(api, ownPath);
    paths[path] ??= { options: method(path, PREFLIGHT) };
    paths[path][verb.toLowerCase()] = { operationId, ...method(path, functionName, isStream) };
  }
  return { openapi: '3.0.1', info: { title: api.title, version: '1' }, paths };
}

type JsonSchema = Record<string, unknown>;

const jsonSchema = (schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      const inner = documentedAs(zodSchema);
      if (inner) Object.assign(target, jsonSchema(inner, io));
    },
  }) as JsonSchema;
  return rest;
};

const content = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** OpenAPI 3.1 cannot say what the events of a stream are, so that stands in an extension. */
const streamContent = (signal: JsonSchema) => ({
  'text/event-stream': {
    schema: { type: 'string', description: 'Events with `id` and `data`: JSON as in x-event-data, or the word ping.' },
    'x-event-data': signal,
  },
});

const ERROR_SCHEMA: JsonSchema = {
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

/** The reference of an interface (OpenAPI 3.1), under the names of the contract. */
export function publishedDocument(api: Api) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of api.operations) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = publishedOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: '1' },
    // Relative to where the document itself is served: beside the operations.
    servers: [{ url: './' }],
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        userKey: { type: 'apiKey', in: 'header', name: 'x-user-key' },
        token: { type: 'http', scheme: 'bearer' },
        workspace: { type: 'apiKey', in: 'header', name: 'x-workspace-id' },
        bot: { type: 'apiKey', in: 'header', name: 'x-bot-id' },
      },
    },
  };
}

function securityOf(operation: Operation): Record<string, string[]>[] {
  if (operation.api === 'chat') return operation.access.who === 'anyone' ? [] : [{ userKey: [] }];
  switch (operation.scope) {
    case 'nowhere':
      return [];
    case 'token':
      return [{ token: [] }];
    case 'bot':
      return [{ token: [], bot: [] }];
    default:
      return [{ token: [], workspace: [] }];
  }
}

function publishedOperation(operation: Operation) {
  const propertiesOf = (schema: ObjectSchema) =>
    jsonSchema(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  const query = operation.query && propertiesOf(operation.query);
  const headers = operation.headers && propertiesOf(operation.headers);
  const answer = {
    description: operation.summary,
    content: operation.streams
      ? streamContent(jsonSchema(operation.streams, 'output'))
      : content(jsonSchema(operation.output, 'output')),
  };
  return {
    operationId: operation.name,
    summary: operation.summary,
    security: securityOf(operation),
    parameters: [
      ...pathVariables(operation.path).map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: query?.required?.includes(name) ?? false,
        schema,
      })),
      ...(operation.method === 'POST' && operation.table === 'writes'
        ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }]
        : []),
      ...Object.entries(headers?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'header',
        required: headers?.required?.includes(name) ?? false,
        schema,
      })),
      ...(operation.streams
        ? [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }]
        : []),
      ...('isVersioned' in operation && operation.isVersioned
        ? [{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } }]
        : []),
    ],
    ...(operation.body
      ? { requestBody: { required: true, content: content(jsonSchema(operation.body, 'input')) } }
      : {}),
    responses: {
      ...Object.fromEntries(operation.statuses.map(status => [status, answer])),
      default: { description: 'A refusal or failure.', content: content({ $ref: '#/components/schemas/Error' }) },
    },
  };
}
