import { webhookOperation } from '#shared/api/webhook/operation.ts';
import { relay } from '#shared/webhook/relay.ts';

export const receiveWebhook = webhookOperation({
  name: 'receiveWebhook',
  summary:
    "Passes a request on to the integration's endpoint as `webhook_received`, and its answer back. Any method, and any path below the webhook's address. 503 with `Retry-After` while the integration does not answer.",
  method: 'ANY',
  path: '/',
  access: { who: 'anyone' },
  table: 'writes',
  // Anyone can call it, so it must not write where tokens are (`bots`): a job carries the identifier of a provider account that a response
  // names. `logs`: console output of deployed code.
  partitions: { reads: ['workspaces'], writes: ['oauthStates', 'openWork'], appends: ['logs'] },
  sends: ['deliveries'],
  largeValues: 'reads',
  callsEndpoints: true,
  statuses: [200],

  handle: relay,
});
