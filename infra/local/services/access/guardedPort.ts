/**
 * Guards a server that accepts any credentials, such as a DynamoDB engine. Checks the first request of each connection
 * and then forwards bytes, because all requests of a connection come from one process.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Service } from '#infra/local/runtime/service.ts';
import { refusalOf, type SignedService } from './requestAccess.ts';
import type { RequestHead } from './signatureV4.ts';

interface Target {
  host: string;
  port: number;
}

const HEAD_LIMIT_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';

export async function startGuardedPort(target: Target, service: SignedService, port: number): Promise<Service> {
  const open = new Set<Socket>();
  const server = createServer(socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    admit(socket, target, service).catch(() => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

async function admit(socket: Socket, target: Target, service: SignedService): Promise<void> {
  const head = await readHead(socket);
  if (!head) return void socket.destroy();
  const refusal = await refusalOf(head, service);
  if (refusal !== undefined) return refuse(socket, refusal);
  const server = connect(target).setNoDelay();
  socket.setNoDelay();
  await Promise.all([pipeline(socket, server), pipeline(server, socket)]);
}

/** Leaves the bytes in the stream. Returns undefined when the connection ends or the head is too long. */
async function readHead(socket: Socket): Promise<RequestHead | undefined> {
  let received = Buffer.alloc(0);
  while (!received.includes(HEAD_END)) {
    if (received.length > HEAD_LIMIT_BYTES) return undefined;
    await once(socket, 'readable');
    const chunk: Buffer | null = socket.read();
    if (chunk) received = Buffer.concat([received, chunk]);
    else if (socket.readableEnded || socket.destroyed) return undefined;
  }
  socket.unshift(received);
  return parseHead(received.toString('latin1', 0, received.indexOf(HEAD_END)));
}

function parseHead(text: string): RequestHead {
  const [requestLine = '', ...lines] = text.split('\r\n');
  const [method, url] = requestLine.split(' ');
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { method, url, headers };
}

function refuse(socket: Socket, message: string): void {
  const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message });
  // Closing with unread bytes would reset the connection before the client reads the response.
  socket.resume();
  socket.end(
    [
      'HTTP/1.1 403 Forbidden',
      'content-type: application/x-amz-json-1.0',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
