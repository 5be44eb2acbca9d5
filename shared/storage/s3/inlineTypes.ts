/**
 * The media types that browsers may show in place. A list, not a pattern: browsers treat any type that ends with `+xml`
 * as XML, which can hold scripts. PDF is a download, because browsers do not display it under the policy of all
 * content.
 */
const INLINE_TYPES = new Set([
  'application/json',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/x-wav',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/vnd.microsoft.icon',
  'image/webp',
  'image/x-icon',
  'text/csv',
  'text/markdown',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
]);

/** @param contentType with or without parameters */
export const isShownInline = (contentType: string) => INLINE_TYPES.has(contentType.split(';')[0]!.trim().toLowerCase());

/** The `Content-Security-Policy` of all content: what a browser opens has no origin and runs nothing. */
export const CONTENT_POLICY = "sandbox; script-src 'none'; base-uri 'none'; form-action 'none'";
