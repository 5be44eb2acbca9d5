/**
 * Escaped lone surrogates, the only ones that `JSON.stringify` escapes. Excludes literal text with an escaped
 * backslash.
 */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** Replaces lone surrogates with U+FFFD. @param json UTF-8 */
export function withoutHalfPairs(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return bytes.includes('\\ud') ? Buffer.from(bytes.toString().replace(HALF_PAIR, '$1\ufffd')) : json;
}
