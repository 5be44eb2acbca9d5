import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Tells whether a port of 127.0.0.1 can be listened on; 0 always can. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await new Promise<boolean>(resolve => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  if (isListening) await new Promise(resolve => server.close(resolve));
  return isListening;
}

/** A port of 127.0.0.1 that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Servers keep idle connections longer than clients do: closing one that a client is about to use resets its request. */
export const IDLE_TIMEOUT_MS = 65_000;
