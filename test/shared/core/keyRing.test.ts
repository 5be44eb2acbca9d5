import { describe, expect, it } from 'vitest';
import { describeKeyRing, formatKeyRing, parseKeyRing } from '#shared/core/keyRing.ts';

describe('a key ring', () => {
  const [a, b] = ['key, with: any.characters ', 'ключ'].map(secret => parseKeyRing(secret).current) as [Key, Key];
  type Key = ReturnType<typeof parseKeyRing>['current'];

  it('equals the text of its only key', () => {
    expect(parseKeyRing('a text')).toEqual({
      state: 'single',
      current: { id: expect.stringMatching(/^[0-9a-f]{8}$/), secret: 'a text' },
      other: undefined,
    });
  });

  it.each(['next', 'keys'] as const)('parses to the keys it was formatted from, in the state %s', state => {
    expect(parseKeyRing(formatKeyRing(state, a, b))).toEqual({ state, current: a, other: b });
  });

  it.each(['', 'keys:', 'keys:YQ', 'next:.YQ'])('is rejected as %j', text => {
    expect(() => parseKeyRing(text)).toThrow('The sealing key is empty. Set SEALING_KEY.');
  });

  it('is described by key ids, which reveal no key', () => {
    expect(a.id).not.toBe(b.id);
    expect(describeKeyRing(formatKeyRing('keys', a, b))).toBe(`keys ${a.id} ${b.id}`);
    expect(describeKeyRing(a.secret)).toBe(`single ${a.id}`);
  });
});
