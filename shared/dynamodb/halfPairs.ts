/** Halves of surrogate pairs in JSON. */

/** As `JSON.stringify` writes them: it escapes a half, never a whole pair. An even number of backslashes before is text. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** Puts U+FFFD in the place of each half in the UTF-8 of a JSON text. */
export function withoutHalfPairs(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return bytes.includes('\\ud') ? Buffer.from(bytes.toString().replace(HALF_PAIR, '$1\ufffd')) : json;
}
