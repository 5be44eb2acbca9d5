import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { CronError, nextTickMs } from '#shared/core/cron.ts';

const next = (cron: string, after: string) => new Date(nextTickMs(cron, Date.parse(after))).toISOString();

describe('the next tick', () => {
  it.each([
    ['* * * * *', '2026-11-22T03:25:00.000Z', '2026-11-22T03:26:00.000Z'],
    ['* * * * *', '2026-11-22T03:25:59.999Z', '2026-11-22T03:26:00.000Z'],
    ['*/15 * * * *', '2026-11-22T03:26:42Z', '2026-11-22T03:30:00.000Z'],
    ['0/20 * * * *', '2026-11-22T03:26:42Z', '2026-11-22T03:40:00.000Z'],
    ['0 9 * * MON-FRI', '2026-11-21T12:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['0 12 ? * 7', '2026-11-23T00:00:00Z', '2026-11-29T12:00:00.000Z'],
    ['0 0 L * *', '2026-02-03T00:00:00Z', '2026-02-28T00:00:00.000Z'],
    ['0 0 29 2 *', '2026-11-22T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['@daily', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00.000Z'],
    // If both fields are set, either a day of the month or a day of the week matches.
    ['0 0 13 * FRI', '2026-11-22T00:00:00Z', '2026-11-27T00:00:00.000Z'],
  ])('is computed from %j: %s is followed by %s', (cron, after, expected) => {
    expect(next(cron, after)).toBe(expected);
  });

  it('is in UTC, without missing or repeated hours', () => {
    const hours = ['2026-03-29T00:30:00Z', '2026-10-25T00:30:00Z'].map(after => next('30 1 * * *', after));

    expect(hours).toEqual(['2026-03-29T01:30:00.000Z', '2026-10-25T01:30:00.000Z']);
  });

  it.each([
    '',
    'tomorrow',
    '* * * *',
    '* * * * * *',
    '0 0 12 * * ? 2027',
    '60 * * * *',
    '* * * * 8',
    '5-1 * * * *',
    '@reboot',
    '2030-01-01T00:00:00',
    '0 0 30 2 *',
  ])('throws for %j', cron => {
    expect(() => nextTickMs(cron, clock.now())).toThrow(CronError);
  });
});
