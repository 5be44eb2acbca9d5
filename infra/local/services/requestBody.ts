import type { IncomingMessage } from 'node:http';

export const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // Reads and discards the rest, so that the client gets a response instead of a broken connection.
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return bytes <= BODY_LIMIT_BYTES ? Buffer.concat(chunks) : undefined;
}
