import * as z from 'zod/mini';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The page to which the provider returns. The provider accepts only registered pages, and the code is useless without
 * the state of the browser that began.
 */
export const redirectUri = () =>
  z
    .string()
    .check(
      z.maxLength(2_000),
      z.refine<string>(isPage, { error: 'Must be an https URL without a query and fragment' }),
    );

function isPage(text: string): boolean {
  const url = URL.parse(text);
  if (!url || [url.hash, url.search, url.username, url.password].some(part => part !== '')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}
