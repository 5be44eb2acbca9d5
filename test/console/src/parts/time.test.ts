/** Times of lists. */
import { expect, it } from 'vitest';
import { formatSince } from '#console/src/parts/time.ts';

const MINUTE_MS = 60_000;
const START = '2030-01-01T10:00:00.000Z';
const after = (minutes: number) => formatSince(START, Date.parse(START) + minutes * MINUTE_MS);

it('shows waiting times in the largest unit, with a minimum of one minute', () => {
  expect([-1, 0, 1.9, 59, 60, 119, 24 * 60, 50 * 60].map(after)).toEqual([
    '1 min',
    '1 min',
    '1 min',
    '59 min',
    '1 hr',
    '1 hr',
    '1 day',
    '2 days',
  ]);
});
