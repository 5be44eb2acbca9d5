/** Lone surrogates as `JSON.stringify` escapes them. Excludes literal text with an escaped backslash. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

export function withoutHalfPairs(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return bytes.includes('\\ud') ? Buffer.from(bytes.toString().replace(HALF_PAIR, '$1\ufffd')) : json;
}
