import { environment } from '#shared/core/environment.ts';

/** Returns true for URLs of the platform's own files. On a local platform, these URLs point to this machine. */
export function isOwnMedia(url: string): boolean {
  const origin = URL.parse(url)?.origin;
  return origin !== undefined && (environment.mediaOrigins?.split(',').includes(origin) ?? false);
}
