/**
 * Tunnel server for `bp dev`. The CLI opens a WebSocket at `/<secret>/<id>`, and the server forwards HTTP requests to
 * `/<id>/…` through it. The CLI appends the id to the tunnel's whole URL when it connects, but only to its origin in
 * the URL of the bot, which is visible to more people. Implements the protocol of `@bpinternal/tunnel`, whose own
 * server crashes on a message that is not JSON.
 *
 * Trusts neither end. Rejects connections and requests with an `Origin`, because any web page can reach this machine.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod/mini';
import type { Service } from '#infra/local/runtime/service.ts';
import { HOP_BY_HOP } from '#shared/api/webhook/readRequest.ts';
import { clock } from '#shared/core/clock.ts';
import { refusePage } from './access/requestAccess.ts';
import { listen } from './listenOnPort.ts';
import { BODY_LIMIT_BYTES, readBody } from './requestBody.ts';
import { unavailable } from './unavailable.ts';

/** Exceeds the platform's timeout for endpoints. */
const ANSWER_WITHIN_MS = 90_000;
const MESSAGE_LIMIT_BYTES = 32 * 1024 * 1024;
const WAITING_LIMIT = 1_000;
/** Hop-by-hop headers, and the content length, which Node computes. */
const WITHHELD = new Set([...HOP_BY_HOP, 'content-length']);

const CLOSED = { invalidId: 4000, replaced: 4001, invalidAnswer: 4002 };

const Answer = z.object({
  requestId: z.string(),
  status: z.number(),
  headers: z.optional(z.record(z.string(), z.union([z.undefined(), z.string(), z.array(z.string())]))),
  body: z.optional(z.string()),
});
type Answer = z.infer<typeof Answer>;
const Message = z.union([z.object({ type: z.literal('hello') }), Answer]);

/** A connected client with its pending requests by id. Requests resolve to undefined when the client disconnects. */
interface Tail {
  socket: WebSocket;
  waiting: Map<string, (answer: Answer | undefined) => void>;
}

/** @param secret required to connect; it has the form of {@link isTunnelSecret} */
export async function startTunnel(port: number, secret: string): Promise<Service> {
  const tails = new Map<string, Tail>();
  const server = createServer((request, response) => {
    // A proxy may serve the tunnel under another host.
    if (request.headers.origin !== undefined) return refusePage(request, response);
    forward(tails, request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({
    server,
    maxPayload: MESSAGE_LIMIT_BYTES,
    verifyClient: ({ req }: { req: IncomingMessage }) =>
      req.headers.origin === undefined && hasSecret(req.url ?? '', secret),
  });
  sockets.on('connection', (socket, request) => connect(tails, socket, (request.url ?? '').slice(secret.length + 1)));
  // The HTTP server re-emits its errors here. `listen` handles them.
  sockets.on('error', () => {});

  const { endpoint, stop } = await listen(server, port);
  return {
    endpoint,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await stop();
    },
  };
}

/** Long enough to be unguessable, and safe in a URL. */
export const isTunnelSecret = (text: string) => /^[\w-]{32,200}$/.test(text);

function hasSecret(url: string, secret: string): boolean {
  const hashed = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashed(url.split('/')[1] ?? ''), hashed(secret));
}

function connect(tails: Map<string, Tail>, socket: WebSocket, url: string): void {
  // Every `error` is followed by `close`.
  socket.on('error', () => {});
  const id = /^\/([\w-]+)$/.exec(url)?.[1];
  if (id === undefined) return void socket.close(CLOSED.invalidId, 'invalid url');
  const tail: Tail = { socket, waiting: new Map() };
  tails.get(id)?.socket.close(CLOSED.replaced, 'another connection has this id now');
  tails.set(id, tail);
  socket.on('message', data => {
    const message = Message.safeParse(parsed(String(data)));
    if (!message.success) return socket.close(CLOSED.invalidAnswer, 'invalid response payload');
    if ('requestId' in message.data) tail.waiting.get(message.data.requestId)?.(message.data);
  });
  socket.on('close', () => {
    if (tails.get(id) === tail) tails.delete(id);
    for (const leave of tail.waiting.values()) leave(undefined);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function forward(tails: Map<string, Tail>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, id = '', path = '/', query] = /^\/([\w-]+)(\/[^?]*)?(?:\?(.*))?$/.exec(request.url ?? '') ?? [];
  const body = await readBody(request);
  if (body === undefined) return fail(response, 413, `The body exceeds ${BODY_LIMIT_BYTES} bytes.`);
  const tail = tails.get(id);
  if (!tail) return unavailable(response, 'No bp dev is connected to this tunnel.');
  if (tail.waiting.size >= WAITING_LIMIT) return unavailable(response, 'This bp dev has too many pending requests.');

  const requestId = randomUUID();
  // The response is a string, which could not contain compressed bytes.
  const {
    method,
    headers: { 'accept-encoding': _, ...headers },
  } = request;
  const sent = {
    type: 'request',
    id: requestId,
    method,
    path,
    headers,
    ...(query ? { query } : {}),
    ...(body.length > 0 ? { body: body.toString() } : {}),
  };
  const answer = await new Promise<Answer | undefined>(resolve => {
    const timer = clock.after(ANSWER_WITHIN_MS, () => resolve(undefined)).unref();
    tail.waiting.set(requestId, given => {
      timer.stop();
      resolve(given);
    });
    tail.socket.send(JSON.stringify(sent));
  });
  tail.waiting.delete(requestId);
  if (!answer) return unavailable(response, 'The connected bp dev did not respond.');
  answerWith(response, answer);
}

function answerWith(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !WITHHELD.has(name.toLowerCase()),
  );
  try {
    // Throws for names and values with line breaks.
    for (const [name, value] of kept) response.setHeader(name, value as string | string[]);
    if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError(`Invalid status: ${status}.`);
    response.writeHead(status).end(body);
  } catch (error) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    fail(response, 502, `The connected bp dev returned an invalid HTTP response: ${(error as Error).message}`);
  }
}

const fail = (response: ServerResponse, status: number, message: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
