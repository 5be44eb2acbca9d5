/** Sequences of two keys. */
import { expect, it } from 'vitest';
import { isSecondKey } from '#console/src/shell/palette/keySequence.ts';

it('accepts a second key soon after the first', () => {
  expect(isSecondKey(1_000, 1_900)).toBe(true);
});

it('rejects a key long after the first, or without one', () => {
  expect(isSecondKey(1_000, 3_000)).toBe(false);
  expect(isSecondKey(undefined, 1_000)).toBe(false);
});
