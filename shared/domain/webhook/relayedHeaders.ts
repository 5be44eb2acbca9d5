/** All integrations share one origin and may be hostile to each other and to users (docs/api/webhook.md#webhooks). */
import type { IncomingHttpHeaders } from 'node:http';
import { HOP_BY_HOP } from '#shared/api/webhook/readRequest.ts';

/** Headers that affect the origin, its domain or the platform. */
const WITHHELD: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  // The body is relayed decompressed, because the caller may accept no encoding.
  'content-encoding',
  'content-length',
  'date',
  // A cookie would be sent to all integrations and, with a domain, to sibling APIs.
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
  'x-bp-integration-identifier',
]);

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
    value === undefined || WITHHELD.has(name) || named.has(name) || name.startsWith('x-amz')
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
