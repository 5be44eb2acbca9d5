/**
 * JSON values of up to a megabyte and more in a table whose items end at 400 KB: small ones are stored as text, bigger ones
 * compressed, and what is still too big goes to the object store. The reader never notices.
 *
 * Text rather than a DynamoDB map: it keeps key order, any number and any depth exactly as they came, and costs less CPU.
 */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** The attributes that hold a value: text, compressed bytes, or the object's key with the size of the text in bytes. */
export interface StoredValue {
  p?: string | undefined;
  z?: Uint8Array | undefined;
  o?: string | undefined;
  /** Size of the JSON text in bytes, kept where reading it takes more than the item. */
  n?: number | undefined;
}

/** Leaves 50 KB of the 400 for everything else in the item. */
const INLINE_LIMIT_BYTES = 350_000;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// The default quality of 11 takes seconds for a megabyte; 2 takes some 10 ms, and what it leaves is a little bigger.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };

export const bigValuePrefix = (botId: string) => `values/${botId}/`;

/**
 * Makes a value ready to be stored. What goes to the object store is written there first, so that no item ever points
 * to nothing; a crash before the item is written leaves an object that nothing points to.
 */
export async function storeValue(botId: string, value: unknown): Promise<StoredValue> {
  const text = JSON.stringify(value);
  // A UTF-16 unit is at most 3 bytes of UTF-8: short texts need no count.
  if (text.length * 3 <= INLINE_LIMIT_BYTES) return { p: text };
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= INLINE_LIMIT_BYTES) return { p: text };

  const compressed = await compress(text, COMPRESSION);
  if (compressed.length <= INLINE_LIMIT_BYTES) return { z: compressed, n: sizeBytes };

  const key = `${bigValuePrefix(botId)}${randomUUID()}`;
  // Loaded only here: the S3 client costs 15 to 30 ms at start (FACTS, Found while trying).
  const { putObject } = await import('./objects.ts');
  await putObject(key, compressed);
  return { o: key, n: sizeBytes };
}

/** The value as it was given to {@link storeValue}. */
export async function loadValue(stored: StoredValue): Promise<unknown> {
  if (stored.p !== undefined) return JSON.parse(stored.p);
  return JSON.parse((await decompress(await compressedBytes(stored))).toString());
}

async function compressedBytes(stored: StoredValue): Promise<Uint8Array> {
  if (stored.z) return stored.z;
  const { getObject } = await import('./objects.ts');
  return getObject(stored.o!);
}

/** Size in bytes of the JSON text that {@link loadValue} will read. */
export const sizeOf = (stored: StoredValue) => stored.n ?? Buffer.byteLength(stored.p ?? '');
