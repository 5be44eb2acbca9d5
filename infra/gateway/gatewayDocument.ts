/** OpenAPI document with a gateway's routes, for AWS and the local gateway. */
import { functionNameOf, gatewayVariable, pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { type Api, prefixOf } from './apis.ts';

/** Name of a bundle: an operation's, or one of {@link extraFunctions}. */
export type FunctionName = string;
export const PREFLIGHT: FunctionName = 'preflight';
export const HEALTH: FunctionName = 'health';
export const ABSENT: FunctionName = 'absentOperation';

const takesAnyMethod = ({ method }: Pick<Operation, 'method'>) => method === 'ANY';

/** Returns an API's functions other than operations. `ANY` operations handle preflight requests themselves. */
export const extraFunctions = (api: Api): FunctionName[] => [
  ...(api.operations.every(takesAnyMethod) ? [] : [PREFLIGHT]),
  ...api.extraRoutes.map(({ functionName }) => functionName),
  ...(api.absentRoutes.length > 0 ? [ABSENT] : []),
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

/** Renames path variables by position, because API Gateway requires the same name in all routes at a position. */
export function gatewayPath({ prefix }: Pick<Api, 'prefix'>, path: string): string {
  let index = 0;
  return prefix + path.replace(/\{\w+\}/g, () => `{${gatewayVariable(index++)}}`);
}

/** API Gateway's catch-all method. */
export const ANY_METHOD = 'x-amazon-apigateway-any-method';
/** Matches the rest of a path, including slashes. */
const REST = '/{rest+}';

type IntegrationOf = (name: FunctionName, isStream: boolean) => Record<string, unknown>;

export function gatewayDocument(api: Api, integrationOf: IntegrationOf): GatewayDocument {
  const paths: GatewayDocument['paths'] = {};
  const method = (path: string, name: FunctionName, isStream = false): GatewayMethod => ({
    parameters: pathVariables(path.replace('+}', '}')).map(variable => ({
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
      prefix: prefixOf(api, each),
      operationId: each.name,
      functionName: functionNameOf(each),
      isStream: each.streams !== undefined,
    })),
    ...api.extraRoutes.map(each => ({
      prefix: api.prefix,
      ...each,
      operationId: each.functionName,
      isStream: false,
    })),
  ];
  for (const { prefix, path: ownPath, method: verb, operationId, functionName, isStream } of routes) {
    if (verb === 'ANY') {
      paths[api.prefix] = { [ANY_METHOD]: { operationId, ...method(api.prefix, functionName) } };
      paths[api.prefix + REST] = { [ANY_METHOD]: method(api.prefix + REST, functionName) };
      continue;
    }
    const path = gatewayPath({ prefix }, ownPath);
    paths[path] ??= { options: method(path, PREFLIGHT) };
    paths[path][verb.toLowerCase()] = { operationId, ...method(path, functionName, isStream) };
  }
  for (const { path: ownPath, method: verb } of api.absentRoutes) {
    const path = gatewayPath({ prefix: '' }, ownPath);
    paths[path] ??= { options: method(path, PREFLIGHT) };
    paths[path][verb.toLowerCase()] = method(path, ABSENT);
  }
  return { openapi: '3.0.1', info: { title: api.title, version: '1' }, paths };
}
