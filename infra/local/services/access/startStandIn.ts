/** HTTP server of a local AWS service with JSON requests. Accepts only clients with the secret of this start. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { Service } from '#infra/local/runtime/service.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { refusalOf, type SignedService } from './requestAccess.ts';

export interface StandInRequest {
  method: string;
  pathname: string;
  /** Operation of a service with a single path. */
  target: string;
  /** The parsed body, or an empty object without one. The text of a service with other bodies. */
  input: unknown;
}

export interface Reply {
  status: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

/** An error response in the format of AWS's JSON services. */
export class Rejection extends Error {
  readonly reply: Reply;
  constructor(status: number, type: string, message: string) {
    super(message);
    const body = { __type: type, Type: 'User', Message: message, message };
    this.reply = { status, body, headers: { 'x-amzn-errortype': type } };
  }
}

/** @throws Rejection that names the first invalid field */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Rejection(400, 'ValidationException', `${issue!.path.join('.') || 'The body'}: ${issue!.message}`);
}

export async function startStandIn(
  service: SignedService,
  handle: (request: StandInRequest) => Promise<Reply>,
  parse: (body: string) => unknown = parseJson,
): Promise<Service> {
  const server = createServer(async (request, response) => {
    try {
      send(response, await handle(await read(request, service, parse)));
    } catch (error) {
      if (error instanceof Rejection) return send(response, error.reply);
      // The client closed the connection.
      if (request.destroyed && !request.complete) return;
      log.error(`The local ${service} failed.`, { error: errorFields(error) });
      send(response, new Rejection(500, 'ServiceException', 'See the log.').reply);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @throws Rejection for callers without the secret and for bodies that are not JSON */
async function read(
  request: IncomingMessage,
  service: SignedService,
  parse: (body: string) => unknown,
): Promise<StandInRequest> {
  const refusal = await refusalOf(request, service);
  if (refusal !== undefined) {
    request.resume();
    throw new Rejection(403, 'AccessDeniedException', refusal);
  }
  const body = await text(request);
  return {
    method: request.method!,
    pathname: new URL(request.url!, 'http://127.0.0.1').pathname,
    target: String(request.headers['x-amz-target']),
    input: parse(body),
  };
}

function parseJson(body: string): unknown {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new Rejection(400, 'SerializationException', 'The body is not JSON.');
  }
}

function send(response: ServerResponse, { status, body, text: payload, headers }: Reply): void {
  const content = payload ?? (body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content);
}
