/** URLs in user content. */
import { configuration } from '../session/configuration.ts';

/** Other URLs are not linked: `javascript:` and `data:` would run in this page. */
const SAFE = /^https?:\/\//i;

export const isSafe = (address: string): boolean => SAFE.test(address);

/** Only media from the platform is loaded. Another server would learn who reads the conversation, and when. */
export function isOurs(address: string): boolean {
  const { apiUrl, chatUrl, contentOrigins } = configuration();
  const origin = URL.parse(address)?.origin;
  return isSafe(address) && [apiUrl, chatUrl, ...contentOrigins].some(each => URL.parse(each)?.origin === origin);
}
