/** Decides which addresses of a message become links, and which are loaded without a click. */

const LINK = /^(?:https?|mailto|tel):$/;

/** @returns the address if following it runs nothing: `javascript:`, `data:` and whatever is relative is none */
export function safeAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = parse(value);
  return url && LINK.test(url.protocol) ? url.href : undefined;
}

/** True for an origin that the page trusts: any other would learn who reads what, and when. */
export function isTrusted(address: string, origins: readonly string[]): boolean {
  const url = parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return origins.includes(url.origin) || (origins.includes('*') && url.protocol === 'https:');
}

/** `URL.parse` is younger than the browsers of some visitors. */
export function parse(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}
