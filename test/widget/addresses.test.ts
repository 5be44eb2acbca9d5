/** Tests addresses in messages: links, and media that load without a click. */
import { expect, it } from 'vitest';
import { isTrusted, safeAddress } from '#widget/addresses.ts';

it.each(['https://a.example/x', 'http://a.example/', 'mailto:a@a.example', 'tel:+49301'])(
  'accepts the address %s',
  address => {
    expect(safeAddress(address)).toBe(address);
  },
);

it.each([
  'javascript:run()',
  'JaVaScRiPt:run()',
  ' javascript:run()',
  'java\tscript:run()',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://a.example/x',
  'file:///etc/passwd',
  '/relative',
  '',
  7,
  undefined,
])('rejects the address %s', address => {
  expect(safeAddress(address)).toBeUndefined();
});

it('loads media from listed origins, and with a star from any HTTPS origin', () => {
  const origins = ['https://a.example'];

  expect(isTrusted('https://a.example/x.png', origins)).toBe(true);
  expect(isTrusted('https://a.example.evil/x.png', origins)).toBe(false);
  expect(isTrusted('https://a.example@evil.example/x.png', origins)).toBe(false);
  expect(isTrusted('http://a.example/x.png', origins)).toBe(false);
  expect(isTrusted('https://b.example/x.png', ['*'])).toBe(true);
  expect(isTrusted('http://b.example/x.png', ['*'])).toBe(false);
  expect(isTrusted('nothing', ['*'])).toBe(false);
});
