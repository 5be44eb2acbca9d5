import { expect, it } from 'vitest';
import { browserName } from '#console/src/session/browserName.ts';

const MOZILLA = 'Mozilla/5.0';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

it.each([
  ['Firefox, Linux', `${MOZILLA} (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0`],
  ['Chrome, Android', `${MOZILLA} (Linux; Android 10; K) ${CHROME}`],
  ['Edge, Windows', `${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Edg/140.0.0.0`],
  ['Safari, macOS', `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15`],
  [
    'Safari, iPhone',
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1`,
  ],
  ['', 'curl/8.0'],
])('names %s', (name, userAgent) => {
  expect(browserName(userAgent)).toBe(name);
});
