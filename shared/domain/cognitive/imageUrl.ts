/** Checks the form of image URLs. `inlineImages.ts` also rejects names that resolve to private addresses. */
import { isOwnMedia } from '#shared/outbound/endpoints/ownMedia.ts';
import { isPublicHost } from '#shared/outbound/endpoints/publicHost.ts';

const DATA_URI = /^data:image\/[\w.+-]+;base64,/;

export const isDataUri = (text: string) => DATA_URI.test(text);

export function isImageUrl(text: string): boolean {
  if (isDataUri(text)) return true;
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return isOwnMedia(text) || (url.protocol === 'https:' && isPublicHost(url.hostname));
}
