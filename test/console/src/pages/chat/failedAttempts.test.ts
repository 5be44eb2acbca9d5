/** Failed deliveries in the log. */
import { expect, it } from 'vitest';
import { failedAttemptsOf } from '#console/src/pages/chat/failedAttempts.ts';

const LINES = [
  { level: 'warn', message: 'The event evt_1 could not be delivered and will be retried: refused' },
  { level: 'info', message: 'evt_1 arrived' },
  { level: 'warn', message: 'The event evt_2 could not be delivered and will be retried: refused' },
  { level: 'error', message: 'The event evt_1 could not be delivered: closed' },
];

it('counts the failed attempts of an event, and returns the latest', () => {
  expect(failedAttemptsOf('evt_1', LINES)).toEqual({
    count: 2,
    latest: 'The event evt_1 could not be delivered: closed',
  });
  expect(failedAttemptsOf('evt_3', LINES)).toEqual({ count: 0 });
});
