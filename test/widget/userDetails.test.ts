import { expect, it } from 'vitest';
import { USER_LIMITS } from '#widget/limits.ts';
import { readUser } from '#widget/userDetails.ts';

it('reads the given fields of a user, and attributes as texts', () => {
  const user = {
    name: 'Ada',
    pictureUrl: 'https://shop.example.com/ada.png',
    attributes: { plan: 'pro', seats: 3, isTrial: false, coupon: null },
  };

  expect(readUser(user)).toEqual({
    ...user,
    attributes: { plan: 'pro', seats: '3', isTrial: 'false', coupon: null },
  });
  expect(readUser({})).toEqual({});
  expect(readUser({ name: '' })).toEqual({ name: '' });
});

const many = Object.fromEntries(Array.from({ length: USER_LIMITS.attributes + 1 }, (_, i) => [`a${i}`, 'x']));
const MEGABYTE = 'x'.repeat(1_000_000);

it.each([
  [{ name: 3 }, 'The name of a user must be a text.'],
  [{ name: MEGABYTE }, 'The name of a user has 1000000 characters. It can have at most 1000.'],
  [{ pictureUrl: 'javascript:alert(1)' }, 'The pictureUrl of a user must be an https URL'],
  [{ pictureUrl: `https://shop.example.com/${MEGABYTE}` }, 'It can have at most 20000.'],
  [{ attributes: 'plan=pro' }, 'The attributes of a user must be an object'],
  [{ attributes: ['pro'] }, 'The attributes of a user must be an object'],
  [{ attributes: many }, 'A user can have at most 50 attributes.'],
  [{ attributes: { plan: { name: 'pro' } } }, 'The attribute plan of a user must be a text, a number'],
  [{ attributes: { plan: MEGABYTE } }, 'The attribute plan of a user has 1000000 characters.'],
  [{ attributes: { [MEGABYTE]: 'x' } }, "The name of a user's attribute must have 1 to 100 characters"],
  [{ attributes: { 'a.b': 'x' } }, "The name of a user's attribute"],
  [{ attributes: { 'a b': 'x' } }, "The name of a user's attribute"],
])('rejects %o', (user, message) => {
  expect(() => readUser(user as never)).toThrow(message);
});
