import type { ServerResponse } from 'node:http';

/** Answers as a proxy with nothing behind it, which callers repeat on. */
export function unavailable(response: ServerResponse, message: string): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end(JSON.stringify({ message }));
}
