import { expect, it } from 'vitest';
import { languageName, localTime, shortUrl, webUrl } from '#console/src/pages/inbox/visitTexts.ts';

it('links web pages only', () => {
  const urls = ['https://shop.example/cart', 'javascript:alert(1)', 'data:text/html,x', '/cart', ''];

  expect(urls.map(webUrl)).toEqual(['https://shop.example/cart', ...urls.slice(1).map(() => undefined)]);
});

it('shortens a URL', () => {
  expect(shortUrl('https://shop.example/cart/')).toBe('shop.example/cart');
});

it('shows the local time of a known time zone', () => {
  const now = new Date('2026-03-01T23:30:00Z');

  expect(localTime('Asia/Tokyo', now)).toMatch(/^Mon,? 08:30 AM \(Asia\/Tokyo\)$/);
  expect(localTime('Nowhere/At_all', now)).toBeUndefined();
});

it('names a language, or shows an unknown tag', () => {
  expect([languageName('de-AT'), languageName('-')]).toEqual(['Austrian German', '-']);
});
