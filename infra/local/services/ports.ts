import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  const server = createServer().listen(port, host);
  const isListening = await new Promise<boolean>(resolve => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  if (isListening) await new Promise(resolve => server.close(resolve));
  return isListening;
}

/** Range below the ephemeral ports, which outgoing connections may take at any moment. */
const [FIRST_PORT, LAST_PORT] = [15_000, 32_000];

export async function freePort(host = LOOPBACK): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port, host)) return port;
  }
}

/**
 * Returns a random address of the loopback network, for a server that accepts any client: a web page can try all ports
 * of 127.0.0.1, but not all of 16 million addresses. macOS has no other address than 127.0.0.1.
 */
export async function unguessableHost(): Promise<string> {
  const host = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return (await isFree(0, host)) ? host : LOOPBACK;
}

/** Exceeds the idle timeout of clients. Closing a connection that a client is about to use resets its request. */
export const IDLE_TIMEOUT_MS = 65_000;
