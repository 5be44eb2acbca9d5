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
export function parse(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}
