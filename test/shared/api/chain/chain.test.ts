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

it('authorises before it reads the body in the platform chain', () => {
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

it('limits a caller before it reads the request in the webhook chain, and does not change the response', () => {
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
