import { gunzipSync } from 'node:zlib';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { parseJson } from '#shared/core/parseJson.ts';
import { header, type Middleware, type ParleyEvent } from './startCall.ts';

/** Decompressed bytes to which no ratio applies. */
const FREE_BYTES = 1024 * 1024;
/** The limit on the compression ratio. DEFLATE reaches 1,000; JSON of distinct values 5 to 40. */
const RATIO_LIMIT = 100;

export const readBody = (operation: Operation): Middleware => ({
  before: async ({ event }) => {
    if (!operation.body || !(event.body || event.call.uploadedBody)) return;
    checkContentType(header(event, 'content-type'));
    event.call.body = await parseJson(utf8(decompressed(event, operation.payloadLimitBytes)));
    event.body = null;
    event.call.uploadedBody = undefined;
  },
});

function checkContentType(contentType: string | undefined): void {
  if (contentType !== undefined && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())) {
    throw invalidPayload(`The Content-Type must be application/json, not ${contentType}.`, 'Content-Type');
  }
}

function decompressed(event: ParleyEvent, limitBytes: number): Uint8Array {
  const bytes = event.call.uploadedBody ?? Buffer.from(event.body!, event.isBase64Encoded ? 'base64' : 'utf8');
  const encoding = header(event, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw invalidPayload(`The Content-Encoding must be gzip or identity, not ${encoding}.`, 'Content-Encoding');
  }
  // A gateway may decompress a body and keep the header. JSON never starts with gzip's 1f 8b.
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = encoding === 'gzip' && isGzip ? gunzip(bytes, limitBytes) : bytes;
  if (plain.length > limitBytes) throw tooLarge(limitBytes);
  return plain;
}

export const tooLarge = (limitBytes: number) =>
  new ApiError('PayloadTooLarge', `The body exceeds the limit of ${limitBytes} bytes (decompressed).`, {
    metadata: { limitBytes },
  });

function gunzip(bytes: Uint8Array, limitBytes: number): Uint8Array {
  const byRatio = Math.max(FREE_BYTES, bytes.length * RATIO_LIMIT);
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(limitBytes, byRatio) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      throw invalidPayload('The body is not valid gzip.');
    }
    throw byRatio < limitBytes ? tooDense() : tooLarge(limitBytes);
  }
}

const tooDense = () =>
  new ApiError(
    'PayloadTooLarge',
    `The body decompresses to more than ${FREE_BYTES} bytes and ${RATIO_LIMIT} times its compressed size. Send it uncompressed.`,
    { metadata: { limitRatio: RATIO_LIMIT } },
  );

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalidPayload('The body is not valid UTF-8.');
  }
}
