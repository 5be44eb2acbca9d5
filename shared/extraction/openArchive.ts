/**
 * A ZIP archive that may be a bomb: what its directory declares must stay below a limit, and so must what really comes
 * out, whatever was declared.
 */
import { type Entry, fromBufferPromise } from 'yauzl';
import { UnreadableFileError } from '#shared/passage.ts';

const UNPACKED_LIMIT_BYTES = 200 * 1024 * 1024;
const ENTRIES_LIMIT = 20_000;

export interface Archive {
  has(name: string): boolean;
  /** The bytes of a file, as they are unpacked. @throws {UnreadableFileError} all that was unpacked so far is too much */
  read(name: string): AsyncGenerator<Buffer>;
}

const tooBig = () =>
  new UnreadableFileError(
    `The file is more than ${UNPACKED_LIMIT_BYTES / 1024 / 1024} MB when unpacked. Split it into smaller files.`,
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
      if (!entry) throw new UnreadableFileError(`The file is damaged: it has no ${name}.`);
      for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        unpackedBytes += chunk.length;
        if (unpackedBytes > UNPACKED_LIMIT_BYTES) throw tooBig();
        yield chunk;
      }
    },
  };
}
