import { describe, expect, it } from 'vitest';
import { verdictOf } from '#shared/events/delivery/verdict.ts';
import { pauseWithin } from '#shared/storage/queues/backoff.ts';

describe('the verdict on a response', () => {
  it.each([
    ['done', [200, 204, 299]],
    ['refused', [400, 401, 404, 409, 422, 499]],
    ['bad', [500, 501, 505, 507, 511, 519, 531, 599]],
    ['again', [301, 302, 429, 502, 503, 504, 520, 521, 524, 530]],
  ] as const)('is %s for %j', (verdict, statuses) => {
    const verdicts = statuses.map(status => verdictOf({ kind: 'answered', status, text: '' }));

    expect(verdicts).toEqual(statuses.map(() => verdict));
  });
});

describe('the verdict on a call without a response', () => {
  it.each([
    ['again', { kind: 'timedOut' }],
    ['again', { kind: 'failed', reason: 'the connection was refused (ECONNREFUSED)' }],
    ['again', { kind: 'crashed', reason: 'The code did not finish within 60 seconds', ranOutOfTime: true }],
    ['bad', { kind: 'crashed', reason: 'The handler threw an error: Error: Boom' }],
    ['bad', { kind: 'crashed', reason: 'The code ran out of memory' }],
  ] as const)('is %s for %j', (verdict, outcome) => {
    expect(verdictOf(outcome)).toBe(verdict);
  });
});

describe('the pauses between the attempts at a bad event', () => {
  it.each([
    [3, 15_000, [3_750, 11_250]],
    [2, 15_000, [15_000]],
    [5, 40_000, [1_000, 3_000, 9_000, 27_000]],
  ])('triples between %i attempts within %i ms', (attempts, withinMs, pauses) => {
    const longest = pauses.map((_, i) => pauseWithin(i + 1, { attempts, withinMs }, 1));
    const shortest = pauses.map((_, i) => pauseWithin(i + 1, { attempts, withinMs }, 0));

    expect(longest).toEqual(pauses);
    expect(shortest).toEqual(pauses.map(pause => pause / 2));
  });
});
