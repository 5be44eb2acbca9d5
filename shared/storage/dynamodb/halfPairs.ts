/** Lone surrogates in JSON. */

/**
 * `JSON.stringify` escapes lone surrogates only, in lower case. Skips literal text, where the backslash is itself
 * escaped.
 */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** Replaces each lone surrogate with U+FFFD. @param json UTF-8 */
export function withoutHalfPairs(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return bytes.includes('\\ud') ? Buffer.from(bytes.toString().replace(HALF_PAIR, '$1\ufffd')) : json;
}
