import { webhookOperation } from '#shared/api/operations/webhook.ts';
import { relayShared } from '#shared/domain/webhook/relayShared.ts';
import { relay } from '#shared/domain/webhook/relayWebhook.ts';

export const receiveWebhook = webhookOperation({
  name: 'receiveWebhook',
  summary:
    "Relays a request to the integration's endpoint as `webhook_received`, and returns its response. Accepts any method and any path below the webhook's URL. With `integration/{integrationId}` in place of the webhook's id, scripts of the integration find the installation. Returns 503 with `Retry-After` while the integration does not respond.",
  method: 'ANY',
  path: '/',
  access: { who: 'anyone' },
  table: 'writes',
  // Callers need no token, so the function must not write partitions that hold tokens (`bots`). It enqueues the
  // identifier from a response instead. `logs`: console output of deployed code.
  partitions: { reads: ['identifiers', 'workspaces'], writes: ['oauthStates', 'openWork'], appends: ['logs'] },
  sends: ['deliveries'],
  largeValues: 'reads',
  callsEndpoints: true,
  statuses: [200],

  handle: call => (call.shared ? relayShared(call, call.shared) : relay(call, call.webhook!)),
});
