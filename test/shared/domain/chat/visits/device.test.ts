import { expect, it } from 'vitest';
import { deviceOf } from '#shared/domain/chat/visits/device.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.7444.60 Safari/537.36',
    { browser: 'Chrome 142', os: 'Windows 10', device: 'desktop' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { browser: 'Safari 18', os: 'iOS', device: 'phone' },
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    { browser: 'Firefox 145', os: 'Linux', device: 'desktop' },
  ],
])('names browser, system and kind of device of %s', (userAgent, expected) => {
  expect(deviceOf(userAgent)).toEqual(expected);
});

it.each([undefined, '', 'x'.repeat(1_001)])('returns nothing for a missing or excessive header', userAgent => {
  expect(deviceOf(userAgent)).toEqual({});
});

it('returns no part of an unknown header that may identify its sender', () => {
  expect(JSON.stringify(deviceOf('ada@example.com personal/1.0'))).not.toContain('ada@');
});
