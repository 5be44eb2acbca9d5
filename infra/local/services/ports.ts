import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** True if a port of 127.0.0.1 can be listened on; 0 always can. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await new Promise<boolean>(resolve => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  if (isListening) await new Promise(resolve => server.close(resolve));
  return isListening;
}

/** Below the ports that operating systems give to outgoing connections, which would take a free one at any moment. */
const [FIRST_PORT, LAST_PORT] = [15_000, 32_000];

/** A port of 127.0.0.1 that is free at the moment, for a server that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
}

/**
 * Servers keep idle connections longer than clients do: closing one that a client is about to use resets its request.
 */
export const IDLE_TIMEOUT_MS = 65_000;
