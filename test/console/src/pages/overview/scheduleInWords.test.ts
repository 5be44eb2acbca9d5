/** Cron expressions in words. */
import { expect, it } from 'vitest';
import { scheduleInWords } from '#console/src/pages/overview/scheduleInWords.ts';

it.each([
  ['* * * * *', 'Every minute'],
  ['*/1 * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['@hourly', 'Every hour at minute 0'],
  ['30 */6 * * *', 'Every 6 hours at minute 30'],
  ['@daily', 'Every day at 12:00 AM'],
  ['5 9 * * *', 'Every day at 09:05 AM'],
  ['0 9 * * MON-FRI', 'Monday to Friday at 09:00 AM'],
  ['0 9 * * 1,sun', 'Monday and Sunday at 09:00 AM'],
  ['0 9 * * 7', 'Sunday at 09:00 AM'],
  ['0 9 1 * *', 'On day 1 of the month at 09:00 AM'],
  ['@yearly', 'On January 1 at 12:00 AM'],
])('describes %s as %s', (cron, words) => {
  // Node separates the time from AM by a narrow space.
  expect(scheduleInWords(cron)?.replaceAll('\u202f', ' ')).toBe(words);
});

it.each(['0 9 L * *', '0 9 1 * MON', '0-5 9 * * *', '5 9-17 * * *', '0 9 * * MON#1', '*/5 9 * * *', 'soon', ''])(
  'returns %j unchanged',
  cron => {
    expect(scheduleInWords(cron)).toBeUndefined();
  },
);
