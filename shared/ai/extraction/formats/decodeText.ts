/** Decodes UTF-8, or the encoding of the byte order mark, content type or HTML meta element, else Windows-1252. */
import { isUtf8 } from 'node:buffer';
import { UnreadableFileError } from '#shared/core/passage.ts';

/** Text has almost no control characters. Compressed or encrypted data has 10 %. */
const CONTROL_SHARE = 0.02;
/** HTML must declare its encoding within this range. */
const META_WITHIN_BYTES = 1024;
const REPLACEMENT = '\ufffd';

/** @throws {UnreadableFileError} for binary data */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const utf16 = byteOrderMark(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  if (hasManyControls(bytes)) throw new UnreadableFileError('The file is declared as text but contains binary data.');
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const declared = declaredEncoding(bytes, contentType);
  if (declared) return new TextDecoder(declared).decode(bytes);
  const asUtf8 = new TextDecoder().decode(bytes);
  return isNearlyUtf8(asUtf8) ? asUtf8 : new TextDecoder('windows-1252').decode(bytes);
}

export const looksLikeText = (bytes: Uint8Array) =>
  byteOrderMark(bytes) !== undefined || (isUtf8(bytes) && !hasManyControls(bytes));

function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function hasManyControls(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    // Text may contain tab to carriage return, and escape (coloured logs).
    if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) controls++;
  }
  return controls > bytes.length * CONTROL_SHARE;
}

/** @returns undefined for UTF-8 and unknown encodings */
function declaredEncoding(bytes: Uint8Array, contentType: string): string | undefined {
  const start = Buffer.from(bytes.subarray(0, META_WITHIN_BYTES)).toString('latin1');
  const name = /charset=["']?([\w-]+)/i.exec(contentType)?.[1] ?? /<meta[^>]*charset=["']?([\w-]+)/i.exec(start)?.[1];
  if (!name || /^utf-?8$/i.test(name)) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** A stray invalid byte or a truncated end does not indicate another encoding. */
function isNearlyUtf8(text: string): boolean {
  const bad = text.split(REPLACEMENT).length - 1;
  const good = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return good > bad * 10;
}
