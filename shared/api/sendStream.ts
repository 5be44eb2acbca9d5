/** Sends the answer of a streaming operation. */
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { errorFields, log } from '#shared/core/log.ts';

/** Error codes of a connection that the client closed. */
const CLOSED_BY_CLIENT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE', 'ECONNRESET']);

/**
 * Writes at the pace of the reader and settles when the stream ends or the client disconnects. Any other failure is
 * logged; the client sees a broken connection and reconnects.
 *
 * A process may hold thousands of streams: `stream.pipeline` would take a third more memory for each.
 */
export async function sendStream(operation: string, stream: AsyncIterable<string>, output: Writable): Promise<void> {
  const texts = stream[Symbol.asyncIterator]();
  let resume = () => {};
  output.on('drain', () => resume());
  // A listener is told at once that nobody listens, not when it has something to say.
  const sent = finished(output, { readable: false }).finally(() => {
    resume();
    return texts.return?.();
  });
  const write = async () => {
    for (let next = await texts.next(); !next.done && !output.destroyed; next = await texts.next()) {
      if (!output.write(next.value)) await new Promise<void>(resolve => (resume = resolve));
    }
    output.end();
  };
  try {
    await Promise.all([sent, write()]);
  } catch (error) {
    output.destroy(error as Error);
    if (CLOSED_BY_CLIENT.has((error as NodeJS.ErrnoException).code ?? '')) return;
    log.error('The stream failed.', { operation, error: errorFields(error) });
  }
}
