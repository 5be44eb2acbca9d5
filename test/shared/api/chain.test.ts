import { expect, it } from 'vitest';
import { chatSteps, platformSteps } from '#shared/api/chain.ts';

const names = (steps: readonly { name: string }[]) => steps.map(({ name }) => name);

it('a request of an end user goes through its chain in its one order', () => {
  expect(names(chatSteps)).toEqual([
    'startCall',
    'allowOrigin',
    'answerErrors',
    'writeAnswer',
    'readBody',
    'findTenant',
    'authenticate',
    'parseChatInput',
    'openPage',
    'replayAnswer',
    'authoriseAndRead',
  ]);
});

it('a request with a token is authorised before its body is looked at', () => {
  expect(names(platformSteps)).toEqual([
    'startCall',
    'allowOrigin',
    'answerErrors',
    'writeAnswer',
    'authenticateAndAuthorise',
    'fetchBody',
    'readBody',
    'parsePlatformInput',
    'readIfMatch',
    'openPage',
    'replayAnswer',
  ]);
});
