/** Decompresses responses of endpoints (RFC 9110, 8.4). Limits apply to the decompressed size. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { startOf } from '#shared/core/excerpt.ts';

export class InvalidEncodingError extends Error {
  override readonly name = 'InvalidEncodingError';
}

export class DecodedTooLargeError extends Error {
  override readonly name = 'DecodedTooLargeError';
}

interface Options {
  maxOutputLength: number;
  /** Accepts input that ends early. */
  isPart?: boolean;
}

type Decoder = (bytes: Uint8Array, options: Options) => Buffer;

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
const flushedBy = (finishFlush: number, { maxOutputLength, isPart = false }: Options) => ({
  maxOutputLength,
  ...(isPart ? { finishFlush } : {}),
});

const gunzip: Decoder = (bytes, options) => gunzipSync(bytes, flushedBy(Z_SYNC_FLUSH, options));

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes, options) =>
    (hasZlibHeader(bytes) ? inflateSync : inflateRawSync)(bytes, flushedBy(Z_SYNC_FLUSH, options)),
  br: (bytes, options) => brotliDecompressSync(bytes, flushedBy(BROTLI_OPERATION_FLUSH, options)),
  zstd: (bytes, options) => zstdDecompressSync(bytes, flushedBy(ZSTD_e_flush, options)),
  identity: bytes => Buffer.from(bytes),
};

/** Some servers send deflate without the header that RFC 9110 requires. */
const hasZlibHeader = ([first = 0, second = 0]: Uint8Array) =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** Limit of encodings, each of which is another decompression. */
const ENCODINGS_LIMIT = 3;

/**
 * @param encoding the header `Content-Encoding`
 * @throws InvalidEncodingError for an unknown encoding or damaged content
 * @throws DecodedTooLargeError
 */
export function decoded(bytes: Buffer, encoding: string | undefined, options: Options): Buffer {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  const unknown = names.find(name => !Object.hasOwn(DECODERS, name));
  if (unknown !== undefined || names.length > ENCODINGS_LIMIT) {
    const given = JSON.stringify(startOf(encoding ?? '', 50));
    throw new InvalidEncodingError(`the response has the content-encoding ${given}, not ${ACCEPT_ENCODING}`);
  }
  // Responses without content, such as a 204, may name an encoding.
  if (bytes.length === 0) return bytes;
  return names.reduceRight((each, name) => decodedOnce(each, name, options), bytes);
}

function decodedOnce(bytes: Buffer, name: string, options: Options): Buffer {
  try {
    return DECODERS[name]!(bytes, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new DecodedTooLargeError();
    throw new InvalidEncodingError(`the response is not valid ${name}, as its content-encoding declares`);
  }
}
