/** Opens ZIP archives with limits on the declared and the actual unpacked size, against ZIP bombs. */
import { type Entry, fromBufferPromise } from 'yauzl';
import { UnreadableFileError } from '#shared/core/passage.ts';

const UNPACKED_LIMIT_BYTES = 200 * 1024 * 1024;
const ENTRIES_LIMIT = 20_000;

export interface Archive {
  has(name: string): boolean;
  /** Streams an entry's bytes. @throws {UnreadableFileError} if everything unpacked so far exceeds the limit */
  read(name: string): AsyncGenerator<Buffer>;
}

const tooBig = () =>
  new UnreadableFileError(
    `The file exceeds ${UNPACKED_LIMIT_BYTES / 1024 / 1024} MB when unpacked. Split it into smaller files.`,
  );

export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const entries = new Map<string, Entry>();
  let declaredBytes = 0;
  for await (const entry of zip.eachEntry()) {
    declaredBytes += entry.uncompressedSize;
    if (declaredBytes > UNPACKED_LIMIT_BYTES || entries.size === ENTRIES_LIMIT) throw tooBig();
    entries.set(entry.fileName, entry);
  }

  let unpackedBytes = 0;
  return {
    has: name => entries.has(name),
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) throw new UnreadableFileError(`The file is damaged: ${name} is missing.`);
      for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        unpackedBytes += chunk.length;
        if (unpackedBytes > UNPACKED_LIMIT_BYTES) throw tooBig();
        yield chunk;
      }
    },
  };
}
