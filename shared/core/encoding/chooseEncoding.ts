/** Determines the encoding of text by its byte order mark, its declaration or its bytes. */
import { isUtf8 } from 'node:buffer';

/** HTML and XML must declare their encoding within this range. */
const DECLARED_WITHIN_BYTES = 1024;
const DECLARATIONS = [
  /^\s*<\?xml[^>]*\sencoding=["']([\w-]+)/i,
  /<meta[^>]*\scharset=["']?([\w-]+)/i,
  /<meta[^>]*charset=["']?([\w-]+)/i,
];
/** Other binary data than text has many. */
const NO_TEXT = /[\p{Cn}\p{Co}\ufffd]|[^\P{Cc}\s]/gu;
/** Bytes of the lines that a guess reads. */
const SAMPLE_BYTES = 32 * 1024;
/** Of the characters, invalid ones in text of the declared encoding. */
const INVALID_SHARE = 0.01;
/** Of every second byte, zeros in UTF-16. */
const ZEROS_IN_UTF16 = 0.15;
const OTHER_ZEROS = 0.02;
const JAPANESE_ESCAPES = ['\x1b$@', '\x1b$B'];
/** With fewer bytes beyond ASCII, a text is readable in any encoding. */
const STRAY_SHARE = 0.002;

export type Utf16 = 'utf-16le' | 'utf-16be';

/**
 * Returns the name of a decoder.
 * @param isWhole false for the start of a longer text
 * @returns undefined if the bytes fit no encoding
 */
export async function chooseEncoding(
  bytes: Uint8Array,
  { contentType = '', isWhole }: { contentType?: string; isWhole: boolean },
): Promise<string | undefined> {
  const certain = byteOrderMark(bytes) ?? declaredOrVisible(bytes, contentType, isWhole);
  if (certain) return certain;
  if (isNearlyUtf8(bytes)) return 'utf-8';
  const sample = linesBeyondAscii(bytes);
  const { detectEncoding } = await import('./detectEncoding.ts');
  const detected = detectEncoding(sample);
  if (detected) return detected;
  return countBeyondAscii(bytes) <= bytes.length * STRAY_SHARE ? 'windows-1252' : undefined;
}

export function byteOrderMark(bytes: Uint8Array): Utf16 | 'utf-8' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  return undefined;
}

/** Returns the encoding of UTF-16 without a byte order mark, by the zeros beside letters of ASCII. */
export function utf16ByZeros(bytes: Uint8Array): Utf16 | undefined {
  const zeros = [0, 0];
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros.map(count => (2 * count) / length);
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const isWide = Math.max(even, odd) > ZEROS_IN_UTF16 && Math.min(even, odd) < OTHER_ZEROS;
  return isWide && isValid(bytes, encoding) ? encoding : undefined;
}

/** UTF-8 wins over a declaration, because texts of other encodings are hardly ever valid UTF-8. */
function declaredOrVisible(bytes: Uint8Array, contentType: string, isWhole: boolean): string | undefined {
  const declared = declaredEncoding(bytes, contentType);
  // Its bytes are ASCII.
  const isJapanese = declared === 'iso-2022-jp' || (declared === undefined && hasJapaneseEscape(bytes));
  if (isJapanese && hasJapaneseEscape(bytes)) return 'iso-2022-jp';
  const isWide = declared?.startsWith('utf-16') ?? false;
  if (isWide && isValid(bytes, declared!)) return declared;
  const visible = utf16ByZeros(bytes);
  if (visible) return visible;
  if (isUtf8(isWhole ? bytes : withoutCutCharacter(bytes))) return 'utf-8';
  return declared && !isWide && isValid(bytes, declared) ? declared : undefined;
}

function hasJapaneseEscape(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, SAMPLE_BYTES));
  return JAPANESE_ESCAPES.some(sequence => start.includes(sequence));
}

/** @returns undefined for UTF-8 and unknown encodings */
function declaredEncoding(bytes: Uint8Array, contentType: string): string | undefined {
  const start = Buffer.from(bytes.subarray(0, DECLARED_WITHIN_BYTES)).toString('latin1');
  const names = [/charset=["']?([\w-]+)/i.exec(contentType), ...DECLARATIONS.map(pattern => pattern.exec(start))];
  const name = names.find(match => match)?.[1];
  if (!name) return undefined;
  try {
    const { encoding } = new TextDecoder(name);
    return encoding === 'utf-8' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE_BYTES), { stream: true });
  return (text.match(NO_TEXT)?.length ?? 0) <= text.length * INVALID_SHARE;
}

/** A stray invalid byte or a truncated end does not indicate another encoding. */
function isNearlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return good > bad * 10;
}

/** The start of a text may end within a character, which has up to three more bytes. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

function countBeyondAscii(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte > 0x7f) count++;
  return count;
}

/** Returns the lines with bytes beyond ASCII, because the others say nothing about the encoding. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let start = 0;
  let isBeyond = false;
  for (let at = 0; at < bytes.length && size < SAMPLE_BYTES; at++) {
    if (bytes[at]! > 0x7f) isBeyond = true;
    if (bytes[at] !== 0x0a && at < bytes.length - 1 && at - start < SAMPLE_BYTES - size) continue;
    if (isBeyond) {
      pieces.push(bytes.subarray(start, at + 1));
      size += at + 1 - start;
    }
    start = at + 1;
    isBeyond = false;
  }
  return Buffer.concat(pieces);
}
