interface Origins {
  /** Origins of the APIs and of the upload store. */
  called: readonly string[];
  shown: readonly string[];
}

/**
 * The `Content-Security-Policy`. Inline styles are allowed, because the component library computes positions and
 * colors. Native form submission is blocked, so field values never appear in a URL.
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

/** Headers that let pages of other origins load the script, including pages with integrity checks or isolation. */
export const WIDGET_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Visitors get a new version within minutes, and wait for at most one download. */
export const WIDGET_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400';

export const CONSOLE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;
