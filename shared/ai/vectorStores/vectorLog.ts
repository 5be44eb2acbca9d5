/**
 * An append-only log of the insertions and removals of an index. Length and checksum of each record reveal a partial
 * record left by a killed process, which is truncated.
 *
 *     length of the rest (4 bytes) | CRC-32 of it (4) | length of key (2) | key | length of group (2) | group | values
 *
 * A removal has neither group nor values.
 */
import { appendFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { StoredVector } from '#shared/ai/vectorStore.ts';

export type LogRecord = StoredVector | { removed: string };

const HEAD_BYTES = 8;

export interface VectorLog {
  append(records: readonly LogRecord[]): Promise<void>;
  rewrite(records: readonly LogRecord[]): Promise<void>;
  remove(): Promise<void>;
}

/** Opens or creates a log and replays its records in order. The maximum size is 2 GB. */
export async function openVectorLog(path: string, onRecord: (record: LogRecord) => void): Promise<VectorLog> {
  const file = await readFile(path).catch(error => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  let size = 0;
  for (let next = recordAt(file, 0); next; next = recordAt(file, size)) {
    onRecord(next.record);
    size = next.end;
  }
  if (size < file.length) await truncate(path, size);

  return {
    async append(records) {
      const bytes = Buffer.concat(records.map(encodeRecord));
      try {
        await appendFile(path, bytes);
        size += bytes.length;
      } catch (error) {
        // Records after a partial one would not be read.
        await truncate(path, size).catch(() => {});
        throw error;
      }
    },
    async rewrite(records) {
      const bytes = Buffer.concat(records.map(encodeRecord));
      await writeFile(`${path}.new`, bytes);
      await rename(`${path}.new`, path);
      size = bytes.length;
    },
    async remove() {
      await rm(path, { force: true });
      size = 0;
    },
  };
}

function encodeRecord(record: LogRecord): Buffer {
  const body =
    'removed' in record
      ? encodeText(record.removed)
      : Buffer.concat([
          encodeText(record.key),
          encodeText(record.group),
          Buffer.from(record.vector.buffer, record.vector.byteOffset, record.vector.byteLength),
        ]);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([head, body]);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** @returns undefined at the end and for a partial record */
function recordAt(file: Buffer, start: number): { record: LogRecord; end: number } | undefined {
  if (start + HEAD_BYTES > file.length) return undefined;
  const end = start + HEAD_BYTES + file.readUInt32LE(start);
  if (end > file.length) return undefined;
  const body = file.subarray(start + HEAD_BYTES, end);
  if (crc32(body) !== file.readUInt32LE(start + 4)) return undefined;

  const key = textAt(body, 0);
  if (key.end === body.length) return { record: { removed: key.text }, end };
  const group = textAt(body, key.end);
  // Copied, because a Float32Array must be aligned to four bytes.
  const vector = new Float32Array(Uint8Array.from(body.subarray(group.end)).buffer);
  return { record: { key: key.text, group: group.text, vector }, end };
}

function textAt(body: Buffer, start: number): { text: string; end: number } {
  const end = start + 2 + body.readUInt16LE(start);
  return { text: body.toString('utf8', start + 2, end), end };
}
