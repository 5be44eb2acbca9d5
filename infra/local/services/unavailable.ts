import type { ServerResponse } from 'node:http';

/** Responds like a proxy whose backend is down. Callers retry. */
export function unavailable(response: ServerResponse, message: string): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end(JSON.stringify({ message }));
}
