import { describe, expect, it } from 'vitest';
import { endOf, startOf } from '#shared/core/excerpt.ts';
import fc from '#test/support/fastCheck.ts';

describe('startOf', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    ['a😀b', 3, 'a😀'],
    ['a\ud83db', 3, 'a\ufffdb'],
    ['', 3, ''],
  ])('truncates %j to %i units', (text, length, start) => {
    expect(startOf(text, length)).toBe(start);
  });
});

describe('endOf', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'bcd'],
    ['😀ab', 3, 'ab'],
    ['😀ab', 4, '😀ab'],
  ])('truncates %j to %i units', (text, length, end) => {
    expect(endOf(text, length)).toBe(end);
  });
});

it('returns well-formed text within the length, without replacing characters of a well-formed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
      for (const cut of [startOf(text, length), endOf(text, length)]) {
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.isWellFormed()).toBe(true);
        expect(text.includes(cut)).toBe(true);
      }
    }),
  );
});
