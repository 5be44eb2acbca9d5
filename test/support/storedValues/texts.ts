/** Texts of all sizes around the limits of a stored value. Each has a unique start, so no two texts are equal. */
import { randomUUID } from 'node:crypto';
import { random } from '#test/support/seed.ts';

/** The largest JSON that an item contains uncompressed (`largeValue.ts`). */
const INLINE_BYTES = 250_000;
/** Bytes of a request besides the text: ids, names and the JSON around them. */
const ENVELOPE_BYTES = 1_500;

export const SIZES = {
  '1 byte': 1,
  'one byte below the inline limit': INLINE_BYTES - 1,
  'the inline limit': INLINE_BYTES,
  'one byte above the inline limit': INLINE_BYTES + 1,
  '400 KB': 400_000,
  '1 MB': 1_048_576 - ENVELOPE_BYTES,
} as const;
export type Size = keyof typeof SIZES;

/** Repeated letters compress below the inline limit. Random ones are stored as objects from 400 KB. */
const LETTERS = { repeated: () => 'x', random: () => String.fromCharCode(97 + Math.floor(random() * 26)) } as const;
export type Content = keyof typeof LETTERS;
export const CONTENTS = Object.keys(LETTERS) as Content[];

/**
 * Returns a text for a value whose JSON has the bytes of `size`.
 * @param frameBytes bytes of the value's JSON with an empty text
 */
export function textOf(size: Size, content: Content, frameBytes: number): string {
  const bytes = Math.max(SIZES[size] - (size === '1 byte' || size === '1 MB' ? 0 : frameBytes), 1);
  const start = bytes > 36 ? randomUUID() : '';
  const letter = LETTERS[content];
  return start + Array.from({ length: bytes - start.length }, letter).join('');
}
