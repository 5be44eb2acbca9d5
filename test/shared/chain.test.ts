import { expect, it } from 'vitest';
import { steps } from '../../shared/http/chain.ts';

it('a request goes through the chain in its one order', () => {
  expect(steps.map(({ name }) => name)).toEqual([
    'startCall',
    'allowOrigin',
    'answerErrors',
    'writeAnswer',
    'readBody',
    'findTenant',
    'authenticate',
    'parseInput',
    'openPage',
    'replayAnswer',
    'authoriseAndRead',
  ]);
});
