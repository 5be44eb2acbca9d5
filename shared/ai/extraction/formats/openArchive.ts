/** Opens ZIP archives with limits on the declared and the actual unpacked size, against ZIP bombs. */
import { type Entry, fromBufferPromise } from 'yauzl';
import { UnreadableFileError } from '#shared/core/passage.ts';

const UNPACKED_LIMIT_BYTES = 200 * 1024 * 1024;
const ENTRIES_LIMIT = 20_000;
const END_RECORD = Buffer.from('PK\x05\x06');
const DIRECTORY_RECORD = Buffer.from('PK\x01\x02');
const END_RECORD_BYTES = 22;
const COMMENT_LIMIT_BYTES = 65_535;
/** Mail gateways and servers append bytes to archives. */
const TRAILING_LIMIT_BYTES = 65_536;
/** Offset of archives with 64-bit offsets, which are elsewhere. */
const ZIP64_OFFSET = 0xffff_ffff;
const IS_ENCRYPTED = 1;

export interface Archive {
  /** Names are case-insensitive, as in the Office formats. */
  has(name: string): boolean;
  /** Streams an entry's bytes. @throws {UnreadableFileError} if everything unpacked so far exceeds the limit */
  read(name: string): AsyncGenerator<Buffer>;
}

const tooBig = () =>
  new UnreadableFileError(
    `The file exceeds ${UNPACKED_LIMIT_BYTES / 1024 / 1024} MB when unpacked. Split it into smaller files.`,
  );

export const passwordProtected = () =>
  new UnreadableFileError('The file is password-protected. Remove the password and upload it again.');

export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Names are only keys here. Decoding by the library would reject names such as `/word/document.xml`.
  const zip = await fromBufferPromise(buffer.subarray(0, endOfArchive(buffer)), { decodeStrings: false });
  const entries = new Map<string, Entry>();
  let declaredBytes = 0;
  for await (const entry of zip.eachEntry()) {
    declaredBytes += entry.uncompressedSize;
    if (declaredBytes > UNPACKED_LIMIT_BYTES || entries.size === ENTRIES_LIMIT) throw tooBig();
    entries.set(keyOf(String(entry.fileName)), entry);
  }

  let unpackedBytes = 0;
  return {
    has: name => entries.has(keyOf(name)),
    async *read(name) {
      const entry = entries.get(keyOf(name));
      if (!entry) throw new UnreadableFileError(`The file is damaged: ${name} is missing.`);
      if (entry.generalPurposeBitFlag & IS_ENCRYPTED) throw passwordProtected();
      for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        unpackedBytes += chunk.length;
        if (unpackedBytes > UNPACKED_LIMIT_BYTES) throw tooBig();
        yield chunk;
      }
    },
  };
}

const keyOf = (name: string) => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

/** Reads an entry as a whole, within the limits of the archive. */
export async function readWhole(archive: Archive, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the end of the last end record that points to a directory. Bytes after it do not belong to the archive. */
function endOfArchive(buffer: Buffer): number {
  const first = Math.max(0, buffer.length - END_RECORD_BYTES - COMMENT_LIMIT_BYTES - TRAILING_LIMIT_BYTES);
  let at = buffer.length - END_RECORD_BYTES;
  while (at >= first) {
    at = buffer.lastIndexOf(END_RECORD, at);
    if (at < first) break;
    const end = at + END_RECORD_BYTES + buffer.readUInt16LE(at + 20);
    const offset = buffer.readUInt32LE(at + 16);
    const isEmpty = buffer.readUInt16LE(at + 10) === 0;
    const hasDirectory = buffer.subarray(offset, offset + DIRECTORY_RECORD.length).equals(DIRECTORY_RECORD);
    if (end <= buffer.length && (hasDirectory || isEmpty || offset === ZIP64_OFFSET)) return end;
    at--;
  }
  return buffer.length;
}
