import { describe, expect, it } from 'vitest';
import { isPageUrl, pageUrlOf, referrerOf } from '#shared/domain/chat/visits/pageUrl.ts';

describe('the URL of a visited page', () => {
  it.each([
    ['https://shop.example/cart?token=secret&code=1#access_token=secret', 'https://shop.example/cart'],
    ['https://ada:secret@shop.example/', 'https://shop.example/'],
    [
      'https://shop.example/?utm_source=mail&q=x&utm_campaign=May',
      'https://shop.example/?utm_source=mail&utm_campaign=May',
    ],
    ['https://shop.example/?utm_secret=x&utm_source=', 'https://shop.example/'],
    [`https://shop.example/a?utm_term=${'x'.repeat(101)}`, 'https://shop.example/a'],
    [`https://shop.example/${'a'.repeat(460)}?utm_source=newsletter`, `https://shop.example/${'a'.repeat(460)}`],
    [`https://shop.example/${'a'.repeat(500)}`, 'https://shop.example/'],
    ['http://localhost:3000/ä b', 'http://localhost:3000/%C3%A4%20b'],
  ])('reduces %s', (url, reduced) => {
    expect(pageUrlOf(url)).toBe(reduced);
  });

  it('keeps origin and path of a referrer', () => {
    expect(referrerOf('https://search.example/results?q=illness&utm_source=x#top')).toBe(
      'https://search.example/results',
    );
    expect(referrerOf(`https://search.example/${'a'.repeat(500)}`)).toBe('https://search.example/');
  });

  it.each([
    '',
    '/cart',
    'javascript:alert(1)',
    'file:///home/ada',
    'data:text/html,x',
    'about:blank',
    'android-app://x',
  ])('is not %s', url => {
    expect(isPageUrl(url)).toBe(false);
  });
});
