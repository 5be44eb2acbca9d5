/** Media types that browsers may display inline. Not a pattern: any `+xml` type may contain scripts. */
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

export const isShownInline = (contentType: string) => INLINE_TYPES.has(contentType.split(';')[0]!.trim().toLowerCase());

/** `Content-Security-Policy` of all content: no origin, no scripts. */
export const CONTENT_POLICY = "sandbox; script-src 'none'; base-uri 'none'; form-action 'none'";
