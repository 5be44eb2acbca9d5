import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Route } from './routes.ts';

export function proxyEvent(
  request: IncomingMessage,
  route: Route,
  pathParameters: Record<string, string>,
  { pathname, searchParams }: URL,
  body: Buffer,
): APIGatewayProxyEvent {
  const multiValueQuery = Object.fromEntries([...searchParams.keys()].map(name => [name, searchParams.getAll(name)]));
  const hasQuery = searchParams.size > 0;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    resource: route.path,
    path: pathname,
    httpMethod: request.method!,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: hasQuery ? Object.fromEntries(searchParams) : null,
    multiValueQueryStringParameters: hasQuery ? multiValueQuery : null,
    pathParameters,
    stageVariables: null,
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: request.socket.remoteAddress ?? '' },
    } as never,
    // The API declares every media type as binary, so that gzip arrives intact.
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
  };
}
