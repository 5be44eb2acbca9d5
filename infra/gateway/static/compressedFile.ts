import { gzipSync } from 'node:zlib';

export interface CompressedFile {
  functionName: string;
  headers: Record<string, string>;
  /** Returns the gzipped content in base64. Slow on the first call. */
  body(): string;
}

/** Returns gzipped content in base64, which API Gateway requires for binary bodies. */
export const gzipped = (content: string | Uint8Array): string => gzipSync(content, { level: 9 }).toString('base64');

export const compressedHeaders = (type: string, cacheControl: string) => ({
  'x-content-type-options': 'nosniff',
  'content-type': `${type}; charset=utf-8`,
  'content-encoding': 'gzip',
  'cache-control': cacheControl,
});
