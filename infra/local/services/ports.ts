import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Whether nobody listens on a port of 127.0.0.1; 0 stands for any. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isOurs = await new Promise<boolean>(resolve => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  if (isOurs) await new Promise(resolve => server.close(resolve));
  return isOurs;
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** How long a server keeps an idle connection: longer than clients do, who would see a reset if both ended it at once. */
export const IDLE_TIMEOUT_MS = 65_000;
