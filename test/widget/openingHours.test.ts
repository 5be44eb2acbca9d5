import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#widget/languages.ts';
import { daysBetween, openingAt } from '#widget/openingHours.ts';
import { availabilityText } from '#widget/parts/Availability.tsx';

const at = (iso: string) => Date.parse(iso);
const opening = (hours: Parameters<typeof openingAt>[0], iso: string) => {
  const { isOpen, opensAtMs } = openingAt(hours, at(iso));
  return isOpen ? 'open' : opensAtMs === undefined ? 'never' : new Date(opensAtMs).toISOString();
};

const WORKDAYS = [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '17:00' }));
const BERLIN = { timeZone: 'Europe/Berlin', periods: WORKDAYS };

describe('the opening hours', () => {
  it.each([
    ['2026-01-15T08:00:00Z', 'open'], // Thursday at 9:00
    ['2026-01-15T07:59:59Z', '2026-01-15T08:00:00.000Z'],
    ['2026-01-15T15:59:59Z', 'open'],
    ['2026-01-15T16:00:00Z', '2026-01-16T08:00:00.000Z'],
    ['2026-01-16T16:00:00Z', '2026-01-19T08:00:00.000Z'], // Friday at 17:00
    ['2026-07-15T07:00:00Z', 'open'], // in summer
  ])('are %s: %s', (now, expected) => {
    expect(opening(BERLIN, now)).toBe(expected);
  });

  it('follow the time zone, not the place of the visitor', () => {
    const tokyo = { timeZone: 'Asia/Tokyo', periods: [{ day: 1, from: '09:00', to: '10:00' }] };

    expect(opening(tokyo, '2026-01-11T23:59:00Z')).toBe('2026-01-12T00:00:00.000Z');
    expect(opening(tokyo, '2026-01-12T00:30:00Z')).toBe('open');
  });

  it('open after a weekend with a change to summer time and to winter time at the local time', () => {
    expect(opening(BERLIN, '2026-03-27T17:00:00Z')).toBe('2026-03-30T07:00:00.000Z');
    expect(opening(BERLIN, '2026-10-23T17:00:00Z')).toBe('2026-10-26T08:00:00.000Z');
  });

  it('open when the clocks skip the opening, and the first time that they repeat it', () => {
    const night = { timeZone: 'Europe/Berlin', periods: [{ day: 7, from: '02:30', to: '05:00' }] };

    expect(opening(night, '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(opening(night, '2026-03-29T01:00:00Z')).toBe('open');
    expect(opening(night, '2026-10-25T00:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(opening(night, '2026-10-25T00:30:00Z')).toBe('open');
  });

  it('span midnight with 24:00, and find the next period of the same day and of the next week', () => {
    const hours = {
      timeZone: 'UTC',
      periods: [
        { day: 5, from: '22:00', to: '24:00' },
        { day: 6, from: '00:00', to: '02:00' },
        { day: 6, from: '20:00', to: '21:00' },
      ],
    };

    expect(opening(hours, '2026-01-16T23:59:59Z')).toBe('open');
    expect(opening(hours, '2026-01-17T00:00:00Z')).toBe('open');
    expect(opening(hours, '2026-01-17T02:00:00Z')).toBe('2026-01-17T20:00:00.000Z');
    expect(opening(hours, '2026-01-17T21:00:00Z')).toBe('2026-01-23T22:00:00.000Z');
  });

  it('find the opening in a week on the only day that has one', () => {
    const hours = { timeZone: 'UTC', periods: [{ day: 4, from: '09:00', to: '10:00' }] };

    expect(opening(hours, '2026-01-15T10:00:00Z')).toBe('2026-01-22T09:00:00.000Z');
  });
});

it('counts days between dates of the visitor', () => {
  const [evening, night] = [new Date(2026, 2, 28, 23, 59), new Date(2026, 2, 29, 0, 1)].map(Number);

  expect(daysBetween(evening!, night!)).toBe(1);
  expect(daysBetween(+new Date(2026, 2, 28, 1), +new Date(2026, 2, 30, 1))).toBe(2);
});

describe('the text of the header', () => {
  const { en, de } = LANGUAGES;
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hours = { timeZone: local, periods: [{ day: 1, from: '09:00', to: '17:00' }] };
  const monday = (hour: number) => +new Date(2026, 0, 19, hour);

  it('names the usual time of a reply while the team is open, and without opening hours', () => {
    expect(availabilityText({ hours, replyTime: 'minutes' }, monday(10), en, 'en')).toBe(en.replyMinutes);
    expect(availabilityText({ replyTime: 'day' }, monday(20), en, 'en')).toBe(en.replyDay);
    expect(availabilityText({ hours }, monday(10), en, 'en')).toBe('');
  });

  it('names the next opening in the language of the visitor', () => {
    const normal = (text: string) => text.replaceAll(/\s/g, ' ');

    expect(normal(availabilityText({ hours }, monday(8), en, 'en'))).toBe('Back today at 9:00 AM');
    expect(normal(availabilityText({ hours }, monday(-1), en, 'en'))).toBe('Back tomorrow at 9:00 AM');
    expect(normal(availabilityText({ hours }, monday(18), en, 'en'))).toBe('Back on Monday at 9:00 AM');
    expect(normal(availabilityText({ hours }, monday(18), de, 'de'))).toBe('Montag ab 9:00 wieder da');
  });

  it('ignores a time zone that the browser does not know', () => {
    const unknown = { timeZone: 'Europe/Atlantis', periods: hours.periods };

    expect(availabilityText({ hours: unknown, replyTime: 'hours' }, monday(8), en, 'en')).toBe(en.replyHours);
  });
});
