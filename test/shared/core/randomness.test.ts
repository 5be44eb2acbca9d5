import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { looksRandom } from '#shared/core/randomness.ts';

describe('looksRandom', () => {
  const digits = (length: number) => Array.from(randomBytes(length), byte => byte % 10).join('');

  it.each([
    ['a UUID', () => randomUUID()],
    ['32 hexadecimal digits', () => randomBytes(16).toString('hex')],
    ['32 bytes in base 64', () => randomBytes(32).toString('base64')],
    ['40 decimal digits', () => digits(40)],
  ])('accepts %s, a thousand times', (_, make) => {
    const refused = Array.from({ length: 1_000 }, make).filter(text => !looksRandom(text));

    expect(refused).toEqual([]);
  });

  it('accepts random digits that repeat more often than most', () => {
    expect(looksRandom('4589912105289921898509872192929299182509')).toBe(true);
  });

  it.each([
    '',
    'aaaaaaaa',
    'a'.repeat(500),
    'ab'.repeat(20),
    'password'.repeat(4),
    'changeme'.repeat(10),
    'supersecretpassword'.repeat(2),
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
    '12345678901234567890123456789012',
    randomBytes(15).toString('hex'),
    randomBytes(8).toString('hex').repeat(1) + '0'.repeat(16),
  ])('rejects %j', text => {
    expect(looksRandom(text)).toBe(false);
  });
});
