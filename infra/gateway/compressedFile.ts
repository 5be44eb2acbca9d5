/** A static file that a gateway serves compressed. */
import { gzipSync } from 'node:zlib';

export interface CompressedFile {
  /** The function that serves it. */
  functionName: string;
  headers: Record<string, string>;
  /** Returns the gzipped content in base64. Slow on the first call. */
  body(): string;
}

/** Returns gzipped content in base64, as API Gateway takes binary bodies. */
export const gzipped = (content: string | Uint8Array): string => gzipSync(content, { level: 9 }).toString('base64');

/** Returns the headers of a gzipped text. @param type without the character set */
export const compressedHeaders = (type: string, cacheControl: string) => ({
  'x-content-type-options': 'nosniff',
  'content-type': `${type}; charset=utf-8`,
  'content-encoding': 'gzip',
  'cache-control': cacheControl,
});
