/** Sends the answer of a streaming operation. */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorFields, log } from '#shared/log.ts';

/** Error codes of a connection that the client closed. */
const CLOSED_BY_CLIENT = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'EPIPE',
  'ECONNRESET',
]);

/**
 * Writes at the pace of the reader and settles when the stream ends or the client disconnects. Any other failure is
 * logged; the client sees a broken connection and reconnects.
 */
export async function sendStream(operation: string, stream: AsyncIterable<string>, output: Writable): Promise<void> {
  try {
    await pipeline(Readable.from(stream), output);
  } catch (error) {
    if (CLOSED_BY_CLIENT.has((error as NodeJS.ErrnoException).code ?? '')) return;
    log.error('The stream failed.', { operation, error: errorFields(error) });
  }
}
