/**
 * The tunnel of `bp dev`: a bot or integration on a developer's machine connects to it by WebSocket at `/<id>`, and what is sent to
 * `/<id>/…` by HTTP is answered by it. The protocol is that of the library `@bpinternal/tunnel`, which the command line uses; its own
 * server ends with the process at the first message that is not JSON.
 *
 * Neither end is trusted. Web pages can send requests to this machine, so a connection with an `Origin` is refused.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod/mini';
import { HOP_BY_HOP } from '#shared/api/webhook/readRequest.ts';
import { clock } from '#shared/clock.ts';
import { listen } from './listen.ts';
import type { Service } from './service.ts';
import { unavailable } from './unavailable.ts';

/** Longer than an endpoint may take. */
const ANSWER_WITHIN_MS = 90_000;
/** API Gateway's limit on a body. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** Of an answer, as JSON. */
const MESSAGE_LIMIT_BYTES = 32 * 1024 * 1024;
const WAITING_LIMIT = 1_000;
/** Of the connection, not of the message; the length is computed anew. */
const WITHHELD = new Set([...HOP_BY_HOP, 'content-length']);

/** The protocol's codes for closing a connection. */
const CLOSED = { invalidId: 4000, replaced: 4001, invalidAnswer: 4002 };

const Answer = z.object({
  requestId: z.string(),
  status: z.number(),
  headers: z.optional(z.record(z.string(), z.union([z.undefined(), z.string(), z.array(z.string())]))),
  body: z.optional(z.string()),
});
type Answer = z.infer<typeof Answer>;
/** Keeps the connection alive. */
const Message = z.union([z.object({ type: z.literal('hello') }), Answer]);

/** What is connected under an id, and who waits for its answers; undefined is the answer of one that left. */
interface Tail {
  socket: WebSocket;
  waiting: Map<string, (answer: Answer | undefined) => void>;
}

/** @param port 0 takes any free one */
export async function startTunnel(port: number): Promise<Service> {
  const tails = new Map<string, Tail>();
  const server = createServer((request, response) => {
    forward(tails, request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({
    server,
    maxPayload: MESSAGE_LIMIT_BYTES,
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.origin === undefined,
  });
  sockets.on('connection', (socket, request) => connect(tails, socket, request.url ?? ''));
  // Of the HTTP server, which reports its own.
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

function connect(tails: Map<string, Tail>, socket: WebSocket, url: string): void {
  // A broken connection closes, too.
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
  const body = await bodyOf(request);
  if (body === undefined) return fail(response, 413, `A body has at most ${BODY_LIMIT_BYTES} bytes.`);
  const tail = tails.get(id);
  if (!tail) return unavailable(response, 'No bp dev is connected here.');
  if (tail.waiting.size >= WAITING_LIMIT) return unavailable(response, 'Too many requests wait for this bp dev.');

  const requestId = randomUUID();
  const { method, headers } = request;
  const sent = {
    type: 'request',
    id: requestId,
    method,
    path,
    headers,
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
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
  if (!answer) return unavailable(response, 'The bp dev that is connected here did not answer.');
  answerWith(response, answer);
}

function answerWith(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !WITHHELD.has(name.toLowerCase()),
  );
  try {
    // Refuses names and values that would end a header early.
    for (const [name, value] of kept) response.setHeader(name, value as string | string[]);
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new RangeError(`The status ${status} is none of a response.`);
    response.writeHead(status).end(body);
  } catch (error) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    fail(response, 502, `The bp dev that is connected here gave no HTTP response: ${(error as Error).message}`);
  }
}

/** @returns undefined when it is too long: the rest is read and dropped, so that the caller gets a response */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
    else chunks = [];
  }
  return bytes > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks).toString();
}

const fail = (response: ServerResponse, status: number, message: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
