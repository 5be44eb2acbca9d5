/** Builds events of API Gateway's proxy integration, for tests that call functions directly. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { apis, prefixOf } from '#infra/gateway/apis.ts';
import { gatewayPath } from '#infra/gateway/gatewayDocument.ts';
import { pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

/** Returns an operation's route in API Gateway's form: `/{webhookId}/users/{p1}`. */
function resourceOf(operation: Operation): string {
  const api = apis.find(({ operations }) => operations.includes(operation));
  if (!api) throw new Error(`No API has the operation ${operation.name}.`);
  return gatewayPath({ prefix: prefixOf(api, operation) }, operation.path).replace(/(.)\/$/, '$1');
}

/**
 * Returns the event fields of a route.
 * @param values decoded values of the route's variables, in order
 */
export function routeOf(
  operation: Operation,
  values: readonly string[],
): Pick<APIGatewayProxyEvent, 'resource' | 'path' | 'pathParameters'> {
  const resource = resourceOf(operation);
  const encoded = values.map(encodeURIComponent);
  let position = 0;
  return {
    resource,
    path: resource.replace(/\{\w+\}/g, () => encoded[position++] ?? ''),
    pathParameters: Object.fromEntries(pathVariables(resource).map((name, i) => [name, encoded[i]])),
  };
}

interface ClientRequest {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * Builds the event of a request after the sample in API Gateway's documentation: headers as an HTTP/1.1 client writes
 * them, the body in base 64 because every media type is declared as binary, the path as the client encoded it.
 * @param request to the local platform, or below the root of the API
 */
export function awsEvent(operation: Operation, request: ClientRequest): APIGatewayProxyEvent {
  const { pathname, searchParams } = new URL(request.url);
  const resource = resourceOf(operation);
  const path = pathname.replace(/^\/(chat|webhook)\//, '/');
  const { method: httpMethod } = operation;
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    Host: 'abcdefghij.execute-api.eu-central-1.amazonaws.com',
    Origin: 'https://shop.example',
    'User-Agent': 'axios/1.7.9',
    'X-Amzn-Trace-Id': 'Root=1-67a0c1d2-0123456789abcdef01234567',
    'X-Forwarded-For': '203.0.113.7',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
    ...Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [titleCase(name), value])),
  };
  const hasQuery = searchParams.size > 0;
  const given = path.split('/').slice(-resource.split('/').slice(1).length);
  const names = resource.split('/').slice(1);
  return {
    resource,
    path,
    httpMethod,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: hasQuery ? Object.fromEntries(searchParams) : null,
    multiValueQueryStringParameters: hasQuery
      ? Object.fromEntries([...searchParams.keys()].map(name => [name, searchParams.getAll(name)]))
      : null,
    pathParameters: Object.fromEntries(
      names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), given[i]!]] : [])),
    ),
    stageVariables: null,
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdefghij',
      domainName: 'abcdefghij.execute-api.eu-central-1.amazonaws.com',
      domainPrefix: 'abcdefghij',
      extendedRequestId: 'F0aXYEbLoAMEabc=',
      httpMethod,
      identity: { sourceIp: '203.0.113.7', userAgent: 'axios/1.7.9' } as never,
      path: `/api${path}`,
      protocol: 'HTTP/1.1',
      requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
      requestTime: '24/Nov/2026:12:00:00 +0000',
      requestTimeEpoch: 1_795_521_600_000,
      resourceId: 'abc123',
      resourcePath: resource,
      stage: 'api',
      authorizer: null,
    },
    body: request.body === undefined ? null : Buffer.from(JSON.stringify(request.body)).toString('base64'),
    isBase64Encoded: request.body !== undefined,
  };
}

const titleCase = (name: string) => name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase());
const mapKeys = <T>(values: Record<string, T>, map: (key: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [map(key), value]));

/** Variations of AWS's events between requests. */
export const EVENT_FORMS = {
  'encoded path parameters': event => event,
  'decoded path parameters': event => ({
    ...event,
    pathParameters: Object.fromEntries(
      Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, decodeURIComponent(value ?? '')]),
    ),
  }),
  'a custom domain with a base path': event => {
    const path = `/bots/eu${event.path}`;
    return { ...event, path, requestContext: { ...event.requestContext, domainName: 'api.example.com', path } };
  },
  'a slash at the end of the path': event => ({ ...event, path: `${event.path}/` }),
  'names of headers in lower case, as HTTP/2 has them': event => ({
    ...event,
    headers: mapKeys(event.headers, name => name.toLowerCase()),
    multiValueHeaders: mapKeys(event.multiValueHeaders, name => name.toLowerCase()),
  }),
  'a body that is text': event => ({
    ...event,
    body: event.body === null ? null : Buffer.from(event.body, 'base64').toString(),
    isBase64Encoded: false,
  }),
  'an empty body instead of none': event => ({ ...event, body: event.body ?? '' }),
  // The test console of API Gateway sends these as null.
  'null for all that is absent': event => ({
    ...event,
    pathParameters: event.resource.includes('{') ? event.pathParameters : null,
    multiValueHeaders: null as never,
  }),
} as const satisfies Record<string, (event: APIGatewayProxyEvent) => APIGatewayProxyEvent>;
