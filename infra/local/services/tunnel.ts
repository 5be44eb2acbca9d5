/**
 * The tunnel of `bp dev`: a bot or integration on a developer's machine connects to it by WebSocket at `/<id>`, and what is sent to
 * `/<id>/…` by HTTP is answered by it. The protocol is that of the library `@bpinternal/tunnel`, which the command line uses too.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { HOP_BY_HOP } from '#shared/api/webhook/readRequest.ts';
import { listen } from './listen.ts';
import type { Service } from './service.ts';
import { unavailable } from './unavailable.ts';

/** What is used of the library, whose own types are sources that do not compile here. */
interface Head {
  events: {
    on(name: 'response', listener: (response: TunnelResponse) => void): void;
    on(name: 'close', listener: () => void): void;
  };
  send(request: {
    id: string;
    method: string;
    path: string;
    query?: string;
    headers: IncomingMessage['headers'];
    body?: string;
  }): void;
}
interface TunnelResponse {
  requestId: string;
  status: number;
  headers?: Record<string, string | string[] | undefined>;
  body?: string;
}
interface Library {
  TunnelServer: {
    new: (options: { server: Server }) => Promise<{
      getTunnel(id: string): Head | undefined;
      events: { on(name: 'connection', listener: (head: Head) => void): void };
      close(): void;
    }>;
  };
}

/** Longer than an endpoint may take. */
const ANSWER_WITHIN_MS = 90_000;
/** Of the connection, not of the message; the length is computed anew. */
const WITHHELD = new Set([...HOP_BY_HOP, 'content-length']);

type Pending = Map<string, (response: TunnelResponse) => void>;

/** @param port 0 takes any free one */
export async function startTunnel(port: number): Promise<Service> {
  const { TunnelServer }: Library = createRequire(import.meta.url)('@bpinternal/tunnel');
  const pending: Pending = new Map();
  const server = createServer((request, response) => void forward(request, response));
  const tunnels = await TunnelServer.new({ server });
  tunnels.events.on('connection', head => {
    head.events.on('response', answer => pending.get(answer.requestId)?.(answer));
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url!, 'http://tunnel');
    const [, id = '', path = ''] = /^\/([\w-]+)(\/.*)?$/.exec(pathname) ?? [];
    const head = tunnels.getTunnel(id);
    if (!head) return unavailable(response, 'No bp dev is connected here.');
    const requestId = randomUUID();
    const answered = new Promise<TunnelResponse | undefined>(resolve => {
      pending.set(requestId, resolve);
      setTimeout(resolve, ANSWER_WITHIN_MS, undefined).unref();
      head.events.on('close', () => resolve(undefined));
    });
    const body = await text(request);
    head.send({
      id: requestId,
      method: request.method!,
      path: path || '/',
      headers: request.headers,
      ...(search ? { query: search.slice(1) } : {}),
      ...(body ? { body } : {}),
    });
    const answer = await answered;
    pending.delete(requestId);
    if (!answer) return unavailable(response, 'The bp dev that is connected here did not answer.');
    const headers = Object.entries(answer.headers ?? {}).filter(
      ([name, value]) => value !== undefined && !WITHHELD.has(name.toLowerCase()),
    );
    response.writeHead(answer.status, Object.fromEntries(headers) as Record<string, string>).end(answer.body ?? '');
  }

  const { endpoint, stop } = await listen(server, port);
  return {
    endpoint,
    stop: async () => {
      tunnels.close();
      await stop();
    },
  };
}
