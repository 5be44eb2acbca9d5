/** All integrations share one origin and may be hostile to each other and to users (docs/api/webhook.md#webhooks). */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Headers that affect only this response. All other headers are withheld, because browsers keep adding headers that
 * affect the whole origin: cookies, permissions, reports, hints, speculation rules.
 */
const RELAYED: ReadonlySet<string> = new Set([
  'accept-ranges',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'age',
  'allow',
  'cache-control',
  'content-digest',
  'content-disposition',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'deprecation',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'permissions-policy',
  'pragma',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'referrer-policy',
  'repr-digest',
  'retry-after',
  'server',
  'server-timing',
  'signature',
  'signature-input',
  'sunset',
  'timing-allow-origin',
  'vary',
  'via',
  'warning',
  'www-authenticate',
]);

/** Prefixes of headers that services define for their webhooks. */
const SERVICE_PREFIXES = ['x-', 'webhook-', 'aeg-', 'ce-'];

/** Headers with such a prefix that the platform, a proxy in front of it, or the whole host would obey. */
const WITHHELD = /^x-(?:amz|bp-|parley-|accel-|sendfile|lighttpd-|litespeed-|permitted-cross-domain-policies)/;

/** Gives pages their own origin. OAuth wizards need forms, scripts and top-level navigation. */
const SANDBOX =
  'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts allow-top-navigation-by-user-activation';

export function relayedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const named = new Set(
    String(headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || !isRelayed(name) || named.has(name)
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const own = headers['content-security-policy'];
  return {
    // Prevents browsers from sniffing the type.
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...Object.fromEntries(kept),
    'content-security-policy': own ? `${own}, ${SANDBOX}` : SANDBOX,
    'x-content-type-options': 'nosniff',
  };
}

const isRelayed = (name: string): boolean =>
  RELAYED.has(name) || (SERVICE_PREFIXES.some(prefix => name.startsWith(prefix)) && !WITHHELD.test(name));
