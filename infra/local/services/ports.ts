import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await new Promise<boolean>(resolve => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  if (isListening) await new Promise(resolve => server.close(resolve));
  return isListening;
}

/** Range below the ephemeral ports, which outgoing connections may take at any moment. */
const [FIRST_PORT, LAST_PORT] = [15_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
}

/** Exceeds the idle timeout of clients. Closing a connection that a client is about to use resets its request. */
export const IDLE_TIMEOUT_MS = 65_000;
