import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parseExactly } from '#shared/core/parseExactly.ts';
import { JobFailure } from '#shared/domain/tables/jobs/jobRun.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { ObjectGoneError, readInParts } from '#shared/storage/s3/multipart.ts';
import { csvRecords } from './csvRecords.ts';
import { CsvScanner, separatorOf } from './csvScanner.ts';
import { decoded } from './decoded.ts';
import type { ImportedFile } from './importPlan.ts';
import {
  faultIn,
  type ImportRecord,
  NOT_UTF8,
  type ParsedRecord,
  type ScannedRecord,
  type Scanner,
} from './importRecords.ts';
import { firstKeyOf, JsonScanner } from './jsonScanner.ts';

export interface Meter {
  bytes: number;
}

const HEAD_BYTES = 64 * 1024;
/** Gzip expands up to a thousandfold, and each resumed run reads this much again. */
const DECOMPRESSED_BYTES = 8 * 1024 ** 3;

/** Streams the records of a file of any format, in constant memory. @param columns with the names used in the file */
export async function* openRecords(
  file: ImportedFile,
  columns: readonly Column[],
  meter: Meter,
): AsyncGenerator<ImportRecord> {
  const bytes = decompress(file, meter);
  const { head, rest } = await decoded(await readHead(bytes), bytes, file);
  const format = formatOf(file, head);
  const scanner: Scanner = format === 'json' ? jsonScanner(head, columns) : new CsvScanner(separatorIn(head));
  const pieces = scanAll(scanner, head, rest);
  yield* format === 'json' ? jsonRecords(pieces) : csvRecords(pieces, columns, separatorIn(head));
}

async function* scanAll(scanner: Scanner, head: Buffer, bytes: AsyncIterable<Buffer>): AsyncGenerator<ScannedRecord> {
  yield* scanner.scan(head);
  for await (const chunk of bytes) yield* scanner.scan(chunk);
  yield* scanner.scan(undefined);
}

async function readHead(bytes: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { value, done } = await bytes.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  if (size === 0) throw new JobFailure('The file is empty.');
  return Buffer.concat(chunks);
}

async function* decompress({ object, size }: ImportedFile, meter: Meter): AsyncGenerator<Buffer> {
  const source = counted(readInParts(object, size), meter);
  try {
    const { value: first, done } = await source.next();
    if (done) return;
    const all = joined(first, source);
    yield* isGzip(first) ? gunzip(all) : all;
  } catch (error) {
    throw error instanceof ObjectGoneError
      ? new JobFailure('The file was deleted or replaced during the import. Import it again.')
      : error;
  }
}

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function* counted(source: AsyncIterable<Buffer>, meter: Meter): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    meter.bytes += chunk.length;
    yield chunk;
  }
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

const CHUNK_BYTES = 256 * 1024;

async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  // The loop below handles its errors.
  pipeline(source, unpacked).catch(() => undefined);
  try {
    for await (const chunk of unpacked) {
      bytes += chunk.length;
      if (bytes > DECOMPRESSED_BYTES)
        throw new JobFailure(`The file has more than ${DECOMPRESSED_BYTES} bytes when decompressed.`);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (!code?.startsWith('Z_')) throw error;
    throw new JobFailure('The file cannot be decompressed: it is damaged or truncated.');
  }
}

function formatOf({ key, contentType }: ImportedFile, head: Buffer): 'csv' | 'json' {
  const name = key.toLowerCase().replace(/\.gz$/, '');
  if (/\.(json|jsonl|ndjson)$/.test(name) || /^application\/(\w+-)?json\b/.test(contentType)) return 'json';
  if (/\.(csv|tsv)$/.test(name) || /^text\/(csv|tab)/.test(contentType)) return 'csv';
  return /^\s*[[{]/.test(head.toString('latin1', 0, 1024)) ? 'json' : 'csv';
}

const separatorIn = (head: Buffer) => separatorOf(head.toString('latin1', 0, HEAD_BYTES));

/** An object that starts with `table` or `rows` is an export, unless the table has that column. */
function jsonScanner(head: Buffer, columns: readonly Column[]): JsonScanner {
  const key = firstKeyOf(head.toString('latin1', 0, 4096));
  const isExport = (key === 'table' || key === 'rows') && !columns.some(({ name }) => name === key);
  return new JsonScanner(!isExport);
}

async function* jsonRecords(pieces: AsyncIterable<ScannedRecord>): AsyncGenerator<ImportRecord> {
  for await (const { line, bytes, fault } of pieces) {
    yield { line, bytes: bytes?.length ?? 0, read: () => (bytes ? readJson(bytes) : { fault: fault! }) };
  }
}

function readJson(bytes: Buffer): ParsedRecord {
  if (!isUtf8(bytes)) return { fault: NOT_UTF8 };
  try {
    const values = parseExactly(bytes.toString());
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      return { fault: 'The row is not a JSON object.' };
    }
    return { values: values as Record<string, unknown> };
  } catch (error) {
    return { fault: faultIn(error) ?? 'The row is not valid JSON.' };
  }
}
