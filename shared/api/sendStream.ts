import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { errorFields, log } from '#shared/core/log.ts';

const CLOSED_BY_CLIENT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE', 'ECONNRESET']);

/**
 * Writes a stream until it ends or the client disconnects. Logs other failures, which break the connection. Does not
 * use `stream.pipeline`, which needs a third more memory per stream.
 */
export async function sendStream(operation: string, stream: AsyncIterable<string>, output: Writable): Promise<void> {
  const texts = stream[Symbol.asyncIterator]();
  let resume = () => {};
  output.on('drain', () => resume());
  // Closes the source immediately on disconnection, not at its next frame.
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
