import { expect, it } from 'vitest';
import { chatSteps, platformSteps, webhookSteps } from '#shared/api/chain/chain.ts';

const names = (steps: readonly { name: string }[]) => steps.map(({ name }) => name);

it('has exactly these steps of the chat chain in this order', () => {
  expect(names(chatSteps)).toEqual([
    'startCall',
    'logCall',
    'allowOrigin',
    'showRate',
    'mapErrors',
    'writeResponse',
    'readBody',
    'limitAddress',
    'findTenant',
    'requireOrigin',
    'authenticate',
    'limitCaller',
    'parseChatInput',
    'openPage',
    'makeIdempotent',
    'authoriseAndRead',
    'limitStreams',
    'endRevokedStreams',
  ]);
});

it('authorizes before reading the body in the platform chain', () => {
  expect(names(platformSteps)).toEqual([
    'startCall',
    'logCall',
    'allowOrigin',
    'showRate',
    'mapErrors',
    'writeResponse',
    'limitAddress',
    'authenticateAndAuthorise',
    'limitCaller',
    'fetchBody',
    'readBody',
    'parsePlatformInput',
    'readIfMatch',
    'openPage',
    'makeIdempotent',
    'conditionOnRights',
    'limitStreams',
  ]);
});

it('applies the rate limit before reading the request in the webhook chain', () => {
  expect(names(webhookSteps)).toEqual([
    'startCall',
    'logCall',
    'showRate',
    'mapErrors',
    'findWebhook',
    'limitWebhook',
    'readRequest',
  ]);
});
