import { expect, it } from 'vitest';
import { isSameUser } from '#widget/talk/isSameUser.ts';

const keyOf = (claims: object, signature = 's') =>
  `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;

it('recognises a renewed key of the same user', () => {
  expect(isSameUser(keyOf({ id: 'ada?~ÿ' }), keyOf({ id: 'ada?~ÿ', exp: 1 }, 't'))).toBe(true);
  expect(isSameUser('opaque', 'opaque')).toBe(true);
});

it.each([
  [keyOf({ id: 'ada' }), keyOf({ id: 'bob' })],
  [keyOf({}), keyOf({ exp: 1 })],
  ['opaque', 'other'],
  ['', keyOf({ id: 'ada' })],
])('distinguishes the users of the keys %s and %s', (one, other) => {
  expect(isSameUser(one, other)).toBe(false);
});
