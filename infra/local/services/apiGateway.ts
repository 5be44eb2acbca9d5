/**
 * API Gateway on one machine: routes by the same OpenAPI document, hands functions the same events, and refuses what API
 * Gateway refuses in the same shape. Percent-encoding is decoded once, inside a segment: `%2F` does not split a path.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { GATEWAY_RESPONSES, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import type { GatewayDocument } from '#infra/gateway/openapi.ts';
import type { LambdaHandler } from '#shared/api/chain.ts';
import { sendStream } from '#shared/api/sendStream.ts';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';
import { errorFields, log } from '#shared/log.ts';
import type { Service } from './dynamodb.ts';
import { lambdaContext } from './lambdaContext.ts';
import { IDLE_TIMEOUT_MS } from './ports.ts';

export interface Api {
  /** The stage: what stands before every path, as in `/chat`; or nothing. */
  basePath: string;
  document: GatewayDocument;
  /** The function that the document names as a method's integration. */
  handlerOf(functionName: string): LambdaHandler;
}

/** API Gateway's own limits, and what of a body fits into the 6 MB that Lambda takes, in base 64. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const LAMBDA_BODY_LIMIT_BYTES = 4.4 * 1024 * 1024;
const LAMBDA_ANSWER_LIMIT_BYTES = 6 * 1024 * 1024;
const TIMEOUT_MS = 29_000;
const STREAM_TIMEOUT_MS = 15 * 60_000;

type Handler = { name: string; timeoutMs: number; handle: LambdaHandler };
type Route = { segments: string[]; handlers: Map<string, Handler>; path: string };

/** The integration of the local documents: the function's name, and how long the gateway waits for it. */
export const localIntegration = (name: string, isStream: boolean) => ({
  type: 'aws_proxy',
  uri: name,
  timeoutInMillis: isStream ? STREAM_TIMEOUT_MS : TIMEOUT_MS,
});

/** @param port 0 takes any that is free */
export async function startGateway(apis: Api[], port: number): Promise<Service> {
  const routers = apis.map(api => ({ basePath: api.basePath, routes: routesOf(api) }));
  const server = createServer((request, response) => {
    answer(routers, request, response).catch(error => {
      log.error('The local gateway failed.', { error: errorFields(error) });
      refuse(response, request, 'failed');
    });
  });
  server.keepAliveTimeout = IDLE_TIMEOUT_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Static segments win over variables, as in API Gateway, so they are tried first. */
function routesOf({ document, handlerOf }: Api): Route[] {
  return Object.entries(document.paths)
    .map(([path, methods]) => ({
      path,
      segments: path.split('/').slice(1),
      handlers: new Map(
        Object.entries(methods).map(([method, { 'x-amazon-apigateway-integration': integration }]) => {
          const name = String(integration.uri);
          const timeoutMs = Number(integration.timeoutInMillis);
          return [method.toUpperCase(), { name, timeoutMs, handle: handlerOf(name) }];
        }),
      ),
    }))
    .sort((a, b) => rank(a).localeCompare(rank(b)));
}
const rank = ({ segments }: Route) => segments.map(segment => (segment.startsWith('{') ? '1' : '0')).join('');

async function answer(
  routers: { basePath: string; routes: Route[] }[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
  const found = find(routers, pathname);
  const handler = found?.route.handlers.get(request.method!);
  if (!found || !handler) return refuse(response, request, 'unknownRoute');
  if (!found.parameters) return refuse(response, request, 'badParameters');

  const body = await readBody(request);
  if (body === undefined || body.length > LAMBDA_BODY_LIMIT_BYTES) return refuse(response, request, 'tooLarge');

  const event = proxyEvent(request, found.route, found.parameters, pathname, searchParams, body);
  const result = await Promise.race([
    handler.handle(event, lambdaContext(handler.name, handler.timeoutMs)),
    // Also of a stream: this is how long it may take to begin.
    timeout(TIMEOUT_MS),
  ]);
  if (!result) return refuse(response, request, 'timeout');
  if (result.body.length > LAMBDA_ANSWER_LIMIT_BYTES) return refuse(response, request, 'failed');
  response.writeHead(result.statusCode, result.headers as Record<string, string>);
  if (result.stream) return sendStream(handler.name, result.stream, response);
  response.end(result.isBase64Encoded ? Buffer.from(result.body, 'base64') : result.body);
}

function timeout(ms: number): Promise<undefined> {
  return new Promise(resolve => setTimeout(() => resolve(undefined), ms).unref());
}

function find(routers: { basePath: string; routes: Route[] }[], pathname: string) {
  for (const { basePath, routes } of routers) {
    if (basePath && pathname !== basePath && !pathname.startsWith(`${basePath}/`)) continue;
    // `/hello/` reaches the resource `/hello`.
    const given = pathname.slice(basePath.length).replace(/\/$/, '').split('/').slice(1);
    const route = routes.find(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, i) => (segment.startsWith('{') ? given[i] !== '' : segment === given[i])),
    );
    if (route) return { route, parameters: parametersOf(route, given) };
  }
  return undefined;
}

/** Undefined when a segment is not percent-encoded properly. */
function parametersOf({ segments }: Route, given: string[]): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      segments.flatMap((segment, i) =>
        segment.startsWith('{') ? [[segment.slice(1, -1), decodeURIComponent(given[i]!)]] : [],
      ),
    );
  } catch {
    return undefined;
  }
}

/** Undefined when it exceeds the gateway's limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // The rest is read and dropped, so that the client gets the answer rather than a broken connection.
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return bytes <= BODY_LIMIT_BYTES ? Buffer.concat(chunks) : undefined;
}

function proxyEvent(
  request: IncomingMessage,
  route: Route,
  pathParameters: Record<string, string>,
  path: string,
  searchParams: URLSearchParams,
  body: Buffer,
): APIGatewayProxyEvent {
  const multiValueQuery: Record<string, string[]> = {};
  for (const name of searchParams.keys()) multiValueQuery[name] = searchParams.getAll(name);
  const hasQuery = searchParams.size > 0;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const requestId = randomUUID();
  return {
    resource: route.path,
    path,
    httpMethod: request.method!,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: hasQuery ? Object.fromEntries(searchParams) : null,
    multiValueQueryStringParameters: hasQuery ? multiValueQuery : null,
    pathParameters,
    stageVariables: null,
    requestContext: { requestId, identity: { sourceIp: request.socket.remoteAddress ?? '' } } as never,
    // The API takes every media type as binary, so that gzip arrives whole.
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
  };
}

function refuse(response: ServerResponse, request: IncomingMessage, occasion: keyof typeof GATEWAY_RESPONSES): void {
  if (response.headersSent) return void response.destroy();
  const refusal = GATEWAY_RESPONSES[occasion];
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    ...corsHeaders({ headers: request.headers as Record<string, string> }),
  });
  response.end(gatewayResponseBody(refusal, randomUUID()));
}
