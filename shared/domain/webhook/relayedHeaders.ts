/**
 * The headers of an integration's answer that are passed on. All integrations answer at one origin, and whoever wrote
 * one may be hostile to the others, to that origin's neighbours, and to those who open a page of it
 * (docs/compatibility.md#webhooks).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { HOP_BY_HOP } from '#shared/api/webhook/readRequest.ts';

/** What speaks for the whole origin, for its domain, or for the platform. */
const WITHHELD: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  // Computed anew.
  'content-length',
  'date',
  // A cookie would reach every other integration, and with a domain the APIs next door.
  'set-cookie',
  'set-cookie2',
  'alt-svc',
  'clear-site-data',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'strict-transport-security',
  // For the platform, not for the caller.
  'x-bp-integration-identifier',
]);

/**
 * A page runs in an origin of its own, which can neither read what other integrations answer nor register a service
 * worker. Wizards of OAuth need forms, scripts, and to lead on to the provider.
 */
const SANDBOX =
  'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts allow-top-navigation-by-user-activation';

export function relayedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const named = new Set(
    String(headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || WITHHELD.has(name) || named.has(name) || name.startsWith('x-amz')
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const own = headers['content-security-policy'];
  return {
    // Without a type, browsers would guess one.
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...Object.fromEntries(kept),
    'content-security-policy': own ? `${own}, ${SANDBOX}` : SANDBOX,
    'x-content-type-options': 'nosniff',
  };
}
