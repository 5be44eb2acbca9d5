/** Decides which URLs of a message become links and which media is loaded without a click. */

const LINK = /^(?:https?|mailto|tel):$/;

/** Returns the URL if it is safe to follow: not `javascript:`, `data:` or relative. */
export function safeAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = parse(value);
  return url && LINK.test(url.protocol) ? url.href : undefined;
}

/** Returns true for origins that the page trusts. Other origins would learn who reads the conversation, and when. */
export function isTrusted(address: string, origins: readonly string[]): boolean {
  const url = parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return origins.includes(url.origin) || (origins.includes('*') && url.protocol === 'https:');
}

/** `URL.parse` is newer than the browsers of some visitors. */
export function parse(value: string, base?: string): URL | undefined {
  try {
    return new URL(value, base);
  } catch {
    return undefined;
  }
}

/** Bitmaps and SVG. An `img` element runs no script of an SVG. */
const IMAGE_DATA = /^data:image\/[a-z0-9.+-]+[;,]/i;

/** Returns the URL of an image that the page sets, if an `img` element may load it. Relative URLs are of the page. */
export function imageAddress(value: string): string | undefined {
  if (IMAGE_DATA.test(value)) return value;
  const { document } = globalThis as { document?: { baseURI: string } };
  const url = parse(value, document?.baseURI);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
