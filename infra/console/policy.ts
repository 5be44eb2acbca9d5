/** What a browser lets the console do: run its own files, and call the platform and nobody else. */

interface Origins {
  /** Those of the APIs, and of the store that takes uploads. */
  called: readonly string[];
  /** Those that serve contents of files. */
  shown: readonly string[];
}

/**
 * The `Content-Security-Policy`. No script stands in the page itself. Styles may, because the component library
 * computes positions and colours. Forms send nothing by themselves, so a field never gets into an address.
 */
export const consolePolicy = ({ called, shown }: Origins): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    ['connect-src', "'self'", ...called].join(' '),
    ['img-src', "'self'", 'data:', ...shown].join(' '),
    ['media-src', "'self'", ...shown].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Headers of the script, for pages of other origins, those that check its integrity or isolate themselves included. */
export const WIDGET_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Visitors have a new version within minutes, and wait for it no more than once. */
export const WIDGET_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400';

export const CONSOLE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;
