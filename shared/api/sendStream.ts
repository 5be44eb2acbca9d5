/** From the answer of an operation that streams to whoever it is for. */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorFields, log } from '#shared/log.ts';

/** What a connection fails with when the other side has closed it. */
const GONE = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'EPIPE',
  'ECONNRESET',
]);

/**
 * Writes no faster than it is read at the other end, and settles when the stream is over. Who goes away ends it. Whatever
 * else cuts it short is in the log; the client sees a broken connection, and comes again.
 */
export async function sendStream(operation: string, stream: AsyncIterable<string>, to: Writable): Promise<void> {
  try {
    await pipeline(Readable.from(stream), to);
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return;
    log.error('The stream broke off.', { operation, error: errorFields(error) });
  }
}
