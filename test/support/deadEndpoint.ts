/** An endpoint that nothing listens at, until it starts. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeadEndpoint {
  url: string;
  /** Names of the operations that the endpoint received since it started. */
  received: string[];
  start(): Promise<void>;
  stop(): void;
}

/** Reserves a port, so that connections to it are refused. */
export async function newDeadEndpoint(): Promise<DeadEndpoint> {
  const received: string[] = [];
  const answer: RequestListener = (request, response) => {
    received.push(String(request.headers['x-bp-operation']));
    request.resume().on('end', () => response.end('{}'));
  };
  const reserved = createServer().listen(0, '127.0.0.1');
  await once(reserved, 'listening');
  const { port } = reserved.address() as AddressInfo;
  reserved.close();
  await once(reserved, 'close');
  const server = createServer(answer);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    start: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
