/** Times of the snooze menu, which are those of the browser's time zone. */
import { describe, expect, it } from 'vitest';
import { fieldLimits, fieldTime, snoozeTime, timeOfField } from '#console/src/pages/inbox/snoozeTimes.ts';

const local = (day: number, hour: number, minute = 0) => new Date(2030, 0, day, hour, minute);

describe('the choices of the snooze menu', () => {
  it.each([
    ['in the morning', local(1, 9, 5), local(1, 12, 15)],
    ['at a quarter', local(1, 9, 15), local(1, 12, 15)],
    ['so late that it would be tomorrow', local(1, 21, 0), undefined],
  ])('offer a time later today %s', (_, now, expected) => {
    expect(snoozeTime('later', now)).toEqual(expected);
  });

  it('offer tomorrow and next Monday at nine', () => {
    // 1 January 2030 is a Tuesday.
    const days = [local(1, 23, 59), local(6, 8), local(7, 8)];

    expect(days.map(now => snoozeTime('tomorrow', now))).toEqual([local(2, 9), local(7, 9), local(8, 9)]);
    expect(days.map(now => snoozeTime('monday', now))).toEqual([local(7, 9), local(7, 9), local(14, 9)]);
  });
});

describe('the field for another time', () => {
  const now = local(1, 9);

  it('contains the local time', () => {
    expect(fieldTime(local(3, 7, 5))).toBe('2030-01-03T07:05');
    expect(timeOfField('2030-01-03T07:05', now)).toEqual(local(3, 7, 5));
  });

  it('refuses times outside the limits of the API, and an empty value', () => {
    const { min, max } = fieldLimits(now);

    expect([min, max].map(value => timeOfField(value, now)?.getFullYear())).toEqual([2030, 2030]);
    for (const value of ['', '2030-01-01T09:01', '2029-12-31T12:00', '2030-04-02T09:00'])
      expect(timeOfField(value, now), value).toBeUndefined();
  });
});
