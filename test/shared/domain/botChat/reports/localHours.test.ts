import { describe, expect, it } from 'vitest';
import { isTimeZone, localHoursOf } from '#shared/domain/botChat/reports/localHours.ts';

const at = (zone: string, time: string) => localHoursOf(zone)(Date.parse(time));

describe('an hour of UTC in a time zone', () => {
  it.each([
    ['UTC', '2026-03-08T00:00:00Z', '2026-03-08', 6, 0],
    ['America/Los_Angeles', '2026-03-08T07:00:00Z', '2026-03-07', 5, 23],
    ['America/Los_Angeles', '2026-03-08T09:00:00Z', '2026-03-08', 6, 1],
    ['America/Los_Angeles', '2026-03-08T10:00:00Z', '2026-03-08', 6, 3],
    ['Pacific/Auckland', '2026-03-08T11:00:00Z', '2026-03-09', 0, 0],
    ['Asia/Kathmandu', '2026-03-08T18:00:00Z', '2026-03-08', 6, 23],
  ])('%s at %s is %s, weekday %i, hour %i', (zone, time, date, weekday, hour) => {
    expect(at(zone, time)).toEqual({ date, weekday, hour });
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is accepted', zone => {
    expect(isTimeZone(zone)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', '+02:00', 'Europe/Berlin ', 'x'.repeat(200), '../etc'])('%j is rejected', zone => {
    expect(isTimeZone(zone)).toBe(false);
  });
});
