/** Decodes a request's bytes into a JSON value (docs/compatibility.md#body-limits). */
import { gunzipSync } from 'node:zlib';
import type { Operation } from '#shared/api/operations.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { header, type Middleware, type ParleyEvent } from './startCall.ts';

/** Deeper JSON would overflow the stack of code that walks it. A text of fewer characters cannot be nested deeper. */
const DEPTH_LIMIT = 500;

export const readBody = (operation: Operation): Middleware => ({
  before: ({ event }) => {
    if (!operation.body || !(event.body || event.call.uploadedBody)) return;
    checkContentType(header(event, 'content-type'));
    event.call.body = parseJson(utf8(decompressed(event, operation.payloadLimitBytes)));
    // Frees up to 50 MB early.
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
  // A gateway that decompresses bodies may leave the header in place; JSON never starts with gzip's 1f 8b.
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
  try {
    // Stops at the limit, so a zip bomb costs no more than an honest body.
    return gunzipSync(bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limitBytes);
    throw invalidPayload('The body is not valid gzip.');
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalidPayload('The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  if (text.length > DEPTH_LIMIT && isTooDeep(text)) {
    throw invalidPayload(`The body is nested more than ${DEPTH_LIMIT} levels deep.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidPayload(`The body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Counts brackets outside of strings. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === 0x22) i = endOfString(text, i);
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > DEPTH_LIMIT) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}

/** The index of the quote that ends the string which starts at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
