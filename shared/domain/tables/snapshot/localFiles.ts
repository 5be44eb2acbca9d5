/** Imported lazily, because it loads SQLite. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createZstdDecompress } from 'node:zlib';
import type { Snapshot } from '#shared/storage/dynamodb/tables/snapshots.ts';
import { markOf, type Position } from './position.ts';
import { RowFile } from './rowFile.ts';

/** Each chunk waits for the event loop, which queries occupy: the default of 16 KB takes twice as long. */
export const CHUNK_BYTES = 1_048_576;

/** Returns a path in a new folder, because another user of the machine could have created a shared one. */
export const newLocalPath = (): string => join(mkdtempSync(join(tmpdir(), 'parley-snapshot-')), 'rows');

export const removeLocalPath = (path: string): void => rmSync(dirname(path), { recursive: true, force: true });

export async function openSnapshot(snapshot: Snapshot): Promise<Position | undefined> {
  const path = newLocalPath();
  try {
    if (!(await download(snapshot, path))) return undefined;
    // On Linux, an open file stays readable after removal, so no file is left behind.
    return positionOf(RowFile.open(path), snapshot);
  } finally {
    removeLocalPath(path);
  }
}

export const positionOf = (file: RowFile, snapshot: Snapshot): Position => ({ file, ...markOf(snapshot) });

/** @returns false if the object is gone or damaged */
export async function download({ object, checksum, isCompressed }: Snapshot, path: string): Promise<boolean> {
  const { findObjectStream } = await import('#shared/storage/s3/objects.ts');
  const stream = await findObjectStream(object);
  if (!stream) return false;
  let sum = 0;
  const summing = new Transform({
    transform(chunk, _, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { mode: 0o600 });
  try {
    await (isCompressed
      ? pipeline(stream, summing, createZstdDecompress({ chunkSize: CHUNK_BYTES }), file)
      : pipeline(stream, summing, file));
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
  return sum === checksum;
}

/** Codes of zlib, such as Z_BUF_ERROR and ZSTD_error_prefix_unknown. */
const isDamage = (error: unknown) => error instanceof Error && 'code' in error && String(error.code).startsWith('Z');
