/** Local API Gateway: routes by the same OpenAPI document, and sends the same events and error responses. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { UPLOAD_OPERATIONS } from '#shared/api/platform/uploadRights.ts';
import { sendStream } from '#shared/api/sendStream.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { proxyEvent } from './gateway/proxyEvent.ts';
import { rejectRequest, rejectUnparsed } from './gateway/rejections.ts';
import { responseHeaders } from './gateway/responseHeaders.ts';
import { findRoute, type Router, routerOf, type Stage } from './gateway/routes.ts';
import { type Pages, servePages } from './gateway/servePages.ts';
import { IDLE_TIMEOUT_MS } from './ports.ts';
import { BODY_LIMIT_BYTES, readBody } from './requestBody.ts';

/** Base64 expands this to Lambda's limit of 6 MB. */
const LAMBDA_BODY_LIMIT_BYTES = 4.4 * 1024 * 1024;
const LAMBDA_ANSWER_LIMIT_BYTES = 6 * 1024 * 1024;
/** Functions that take bodies up to the limit of API Gateway here, so that `bp deploy` needs the relay less often. */
const DEPLOYMENTS: ReadonlySet<string> = new Set(UPLOAD_OPERATIONS.map(functionNameOf));
const TIMEOUT_MS = 29_000;
const STREAM_TIMEOUT_MS = 15 * 60_000;

export const localIntegration = (name: string, isStream: boolean) => ({
  type: 'aws_proxy',
  uri: name,
  timeoutInMillis: isStream ? STREAM_TIMEOUT_MS : TIMEOUT_MS,
});

/** A completed request. For a stream, only the response headers were sent. */
export interface CompletedRequest {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  errorId?: string | undefined;
}

export async function startGateway(
  stages: Stage[],
  port: number,
  onAnswer: (request: CompletedRequest) => void = () => {},
  pages?: Pages,
  sockets?: { serve(server: Server): void },
): Promise<Service> {
  const routers = stages.map(routerOf);
  const server = createServer(async (request, response) => {
    if (pages && (await servePages(pages, request, response))) return;
    const startMs = performance.now();
    const body = await answer(routers, request, response).catch(error => {
      log.error('The local gateway failed.', { error: errorFields(error) });
      return rejectRequest(response, request, 'failed');
    });
    const { statusCode: status } = response;
    onAnswer({
      method: request.method!,
      path: request.url!.split('?')[0]!,
      status,
      durationMs: performance.now() - startMs,
      ...(status >= 400 ? { errorId: errorIdIn(body) } : {}),
    });
  });
  server.on('clientError', rejectUnparsed);
  sockets?.serve(server);
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

function errorIdIn(body: string): string | undefined {
  try {
    return JSON.parse(body).id;
  } catch {
    return undefined;
  }
}

/** Returns the body that was sent, which is empty for a stream. */
async function answer(routers: Router[], request: IncomingMessage, response: ServerResponse): Promise<string> {
  const url = urlOf(request);
  const found = url && findRoute(routers, url);
  const { integrations } = found?.route ?? {};
  const integration = integrations?.get(request.method!) ?? integrations?.get('ANY');
  if (!url || !found || !integration) return rejectRequest(response, request, 'unknownRoute');

  const body = await readBody(request);
  const limitBytes = DEPLOYMENTS.has(integration.name) ? BODY_LIMIT_BYTES : LAMBDA_BODY_LIMIT_BYTES;
  if (body === undefined || body.length > limitBytes) return rejectRequest(response, request, 'tooLarge');

  const event = proxyEvent(request, found.route, found.parameters, url, body);
  // The limit of a stream covers only its beginning.
  const result = await within(
    TIMEOUT_MS,
    integration.handle(event, lambdaContext(integration.name, integration.timeoutMs)),
  );
  if (!result) return rejectRequest(response, request, 'timeout');
  if (result.body.length > LAMBDA_ANSWER_LIMIT_BYTES) return rejectRequest(response, request, 'failed');

  response.writeHead(result.statusCode, responseHeaders(result.headers as Record<string, string>));
  if (result.stream) void sendStream(integration.name, result.stream, response);
  else response.end(result.isBase64Encoded ? Buffer.from(result.body, 'base64') : result.body);
  return result.body;
}

/**
 * Returns undefined for a target that is not a path. A path may start with two slashes, which do not introduce a host.
 */
function urlOf({ headers, url = '' }: IncomingMessage): URL | undefined {
  if (!url.startsWith('/')) return undefined;
  const { origin } = URL.parse(`http://${headers.host}`) ?? { origin: 'http://localhost' };
  return URL.parse(`${origin}${url}`) ?? undefined;
}

function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: Timer | undefined;
  const limit = new Promise<undefined>(resolve => {
    timer = clock.after(ms, () => resolve(undefined)).unref();
  });
  return Promise.race([work, limit]).finally(() => timer?.stop());
}
