/**
 * Local WebSocket API: the routes `$connect`, `keepAlive` and `$disconnect`, and the `@connections` endpoint, by the
 * limits of API Gateway (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { KEEP_ALIVE_REPLY, KEEP_ALIVE_ROUTE } from '#shared/api/socket/keepAlive.ts';
import type { SocketEvent, SocketRoute } from '#shared/api/socket/socketRoute.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { FRAME_BYTES } from '#shared/outbound/connections/connectionClient.ts';
import { Rejection, type Reply, type StandInRequest, startStandIn } from './access/startStandIn.ts';
import type { CompletedRequest } from './apiGateway.ts';
import { connectQuery } from './gateway/connectQuery.ts';

const TIMEOUT_MS = 29_000;
const MAX_CONNECTION_MS = 2 * 60 * 60_000;
const MAX_IDLE_MS = 10 * 60_000;
const SWEEP_MS = 30_000;
const SWITCHING_PROTOCOLS = 101;
/** Concurrent $disconnect calls. The limit keeps thousands of simultaneous closes from delaying other work. */
const DISCONNECTS_AT_ONCE = 2;

export interface SocketRoutes {
  connect: SocketRoute['handle'];
  disconnect: SocketRoute['handle'];
}

interface Open {
  socket: WebSocket;
  openedAtMs: number;
  activeAtMs: number;
  event: SocketEvent;
}

export interface Sockets extends Service {
  /** Serves upgrade requests of an HTTP server. */
  serve(server: Server): void;
  /** Number of open connections. */
  count(): number;
}

export async function startSockets(
  routes: SocketRoutes,
  onAnswer: (request: CompletedRequest) => void = () => {},
): Promise<Sockets> {
  const connections = new Map<string, Open>();
  const protocols = new WeakMap<IncomingMessage, string>();
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES,
    handleProtocols: (_, request) => protocols.get(request) ?? false,
  });
  const closed: SocketEvent[] = [];
  const disconnecting = new Set<Promise<void>>();

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const startMs = performance.now();
    const report = (status: number) =>
      onAnswer({
        method: request.method!,
        path: request.url!.split('?')[0]!,
        status,
        durationMs: performance.now() - startMs,
      });
    const refuseWith = (status: number) => {
      report(status);
      refuse(socket, status);
    };
    const query = connectQuery(request);
    if (typeof query === 'number') return refuseWith(query);
    const connectionId = `${randomBytes(9).toString('base64url')}=`;
    const event = connectEvent(request, connectionId, query);
    const { statusCode, headers } = await routes.connect(event, lambdaContext('socket-connect', TIMEOUT_MS) as never);
    if (statusCode >= 300) return refuseWith(statusCode);
    const protocol = headers?.['Sec-WebSocket-Protocol'];
    if (protocol) protocols.set(request, String(protocol));
    report(SWITCHING_PROTOCOLS);
    webSockets.handleUpgrade(request, socket, head, open => add(connectionId, event, open));
  }

  function add(connectionId: string, event: SocketEvent, socket: WebSocket): void {
    const nowMs = clock.now();
    const connection: Open = { socket, event, openedAtMs: nowMs, activeAtMs: nowMs };
    connections.set(connectionId, connection);
    socket.on('error', () => socket.terminate());
    socket.on('message', data => {
      connection.activeAtMs = clock.now();
      if (routeOf(String(data)) === KEEP_ALIVE_ROUTE) return void socket.send(KEEP_ALIVE_REPLY);
      // The response to a frame of an unknown route.
      socket.send(JSON.stringify({ message: 'Forbidden', connectionId, requestId: randomUUID() }));
    });
    socket.on('close', () => {
      connections.delete(connectionId);
      closed.push(event);
      if (disconnecting.size === DISCONNECTS_AT_ONCE) return;
      const worker = disconnectAll().finally(() => disconnecting.delete(worker));
      disconnecting.add(worker);
    });
  }

  async function disconnectAll(): Promise<void> {
    for (let event = closed.pop(); event; event = closed.pop()) {
      try {
        await routes.disconnect(event, lambdaContext('socket-disconnect', TIMEOUT_MS) as never);
      } catch (error) {
        log.error('The route $disconnect failed.', { error: errorFields(error) });
      }
    }
  }

  async function manage({ method, pathname, input }: StandInRequest): Promise<Reply> {
    const [, id = ''] = /^\/@connections\/([^/]+)$/.exec(pathname) ?? [];
    const connection = connections.get(decodeURIComponent(id));
    if (!connection) throw new Rejection(410, 'GoneException', 'The connection is closed.');
    if (method === 'DELETE') {
      connection.socket.close(1001, 'Connection deleted');
      return { status: 204 };
    }
    if (method !== 'POST') throw new Rejection(405, 'MethodNotAllowed', method);
    if (Buffer.byteLength(input as string) > FRAME_BYTES)
      throw new Rejection(413, 'PayloadTooLargeException', 'The frame exceeds 128 KB.');
    await new Promise<void>((resolve, reject) =>
      connection.socket.send(input as string, error => (error ? reject(error) : resolve())),
    ).catch(() => {
      throw new Rejection(410, 'GoneException', 'The connection is closed.');
    });
    connection.activeAtMs = clock.now();
    return { status: 200 };
  }

  const sweep = clock.every(SWEEP_MS, () => {
    const nowMs = clock.now();
    for (const { socket, openedAtMs, activeAtMs } of connections.values()) {
      if (nowMs - openedAtMs > MAX_CONNECTION_MS || nowMs - activeAtMs > MAX_IDLE_MS) socket.close(1001, 'Going away');
    }
  });
  sweep.unref();
  const { endpoint, stop } = await startStandIn('execute-api', manage, body => body);
  return {
    endpoint,
    count: () => connections.size,
    serve: server =>
      void server.on('upgrade', (request, socket, head) => {
        socket.on('error', () => socket.destroy());
        upgrade(request, socket, head).catch(error => {
          log.error('The route $connect failed.', { error: errorFields(error) });
          refuse(socket, 500);
        });
      }),
    stop: async () => {
      sweep.stop();
      for (const { socket } of connections.values()) socket.terminate();
      await Promise.all(disconnecting);
      await stop();
    },
  };
}

const connectEvent = (
  { headers, socket }: IncomingMessage,
  connectionId: string,
  queryStringParameters: Record<string, string>,
): SocketEvent => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  queryStringParameters,
  requestContext: {
    requestId: randomUUID(),
    connectionId,
    identity: { sourceIp: socket.remoteAddress ?? '' },
  } as never,
});

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

function routeOf(text: string): unknown {
  try {
    return JSON.parse(text).action;
  } catch {
    return undefined;
  }
}
