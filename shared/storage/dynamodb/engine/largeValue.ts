/**
 * JSON beyond DynamoDB's 400 KB per item: text, compressed, or an object. JSON text preserves key order and exact
 * numbers.
 */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import * as z from 'zod/mini';
import { definitionKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { valuePrefix } from '#shared/storage/s3/prefixes.ts';
import type { Item } from './query.ts';
import { putStagedObject } from './stagedObjects.ts';
import { unconditional, type Write } from './transaction.ts';

/** Exactly one of `p` (text), `z` (compressed) and `o` (an object's key). Part of the items of several records. */
export interface StoredValue {
  p?: string | undefined;
  z?: Uint8Array | undefined;
  o?: string | undefined;
  n?: number | undefined;
}

export const storedValue = {
  p: z.optional(z.string()),
  z: z.optional(z.custom<Uint8Array>(value => value instanceof Uint8Array)),
  o: z.optional(z.string()),
  n: z.optional(z.number()),
};
export const StoredValue = z.object(storedValue);

export const VALUE = {
  text: 'p',
  compressed: 'z',
  object: 'o',
  sizeBytes: 'n',
} as const satisfies Record<string, keyof StoredValue>;

/** Removes a value in an update, unless the next one replaces it. */
export const NO_VALUE = { p: null, z: null, o: null, n: null } as const satisfies Record<keyof StoredValue, null>;

/** Leaves 160 KB for other attributes: 50 tags of 600 characters take up to 90 KB. */
const INLINE_LIMIT_BYTES = 250_000;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// The default quality of 11 takes seconds per megabyte, 2 takes about 10 ms and compresses slightly less.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };

export const mayBecomeObject = (value: unknown): boolean => exceedsInline(JSON.stringify(value));

const exceedsInline = (text: string): boolean =>
  // A UTF-16 unit has at most 3 bytes of UTF-8, so short text needs no count.
  text.length * 3 > INLINE_LIMIT_BYTES && Buffer.byteLength(text) > INLINE_LIMIT_BYTES;

/** Returns the attributes of a value. Objects are stored before the item, and swept if it is never written. */
export const storeValue = (tenant: string, value: unknown): Promise<StoredValue> =>
  storeValueWith(tenant, value, putStagedObject);

export async function storeValueWith(
  tenant: string,
  value: unknown,
  putObject: (key: string, bytes: Uint8Array) => Promise<void>,
): Promise<StoredValue> {
  const text = JSON.stringify(value);
  if (!exceedsInline(text)) return { p: text };

  const sizeBytes = Buffer.byteLength(text);
  const compressed = await compress(text, COMPRESSION);
  if (compressed.length <= INLINE_LIMIT_BYTES) return { z: compressed, n: sizeBytes };

  const key = `${valuePrefix(tenant)}${randomUUID()}`;
  await putObject(key, compressed);
  return { o: key, n: sizeBytes };
}

export async function loadValue(stored: StoredValue): Promise<unknown> {
  if (stored.p !== undefined) return JSON.parse(stored.p);
  return JSON.parse((await decompress(await compressedBytes(stored))).toString());
}

async function compressedBytes(stored: StoredValue): Promise<Uint8Array> {
  if (stored.z) return stored.z;
  const { getObject } = await import('#shared/storage/s3/objects.ts');
  return getObject(stored.o!);
}

export function withoutStoredValue<I extends StoredValue>({ p: _p, z: _z, o: _o, n: _n, ...rest }: I) {
  return rest;
}

export const hasStoredValue = ({ p, z, o }: Item): boolean => [p, z, o].some(each => each !== undefined);

export const sizeOf = (stored: StoredValue) => stored.n ?? Buffer.byteLength(stored.p ?? '');

export const loadItemValue = (item: Item): Promise<unknown> => loadValue(StoredValue.parse(item));

export const putDefinition = async (pk: string, tenant: string, definition: unknown): Promise<Write> => ({
  put: { Item: { ...definitionKey(pk), ...(await storeValue(tenant, definition)) } },
  onRefused: unconditional,
});
