/** Times to which a conversation can be snoozed, in the time zone of the browser. */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Limits of the API. A minute is added to the lower one for the time until the call. */
const MIN_MS = 2 * MINUTE_MS;
const MAX_MS = 90 * 24 * HOUR_MS - MINUTE_MS;

/** Start of work. */
const MORNING_HOUR = 9;
const LATER_HOURS = 3;
const QUARTER_MINUTES = 15;
const MONDAY = 1;

export const SNOOZES = ['later', 'tomorrow', 'monday'] as const;
export type SnoozeChoice = (typeof SNOOZES)[number];

/** Returns the morning of a day. Setting the parts of a date, unlike adding hours, respects changes of the clock. */
const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);

/** Later today is in three hours, at a quarter of an hour. Returns undefined if that is tomorrow. */
export function snoozeTime(choice: SnoozeChoice, now = new Date()): Date | undefined {
  switch (choice) {
    case 'later': {
      const later = new Date(now.getTime() + LATER_HOURS * HOUR_MS);
      later.setMinutes(Math.ceil(later.getMinutes() / QUARTER_MINUTES) * QUARTER_MINUTES, 0, 0);
      return later.toDateString() === now.toDateString() ? later : undefined;
    }
    case 'tomorrow':
      return morningIn(now, 1);
    case 'monday':
      return morningIn(now, (MONDAY + 7 - now.getDay()) % 7 || 7);
  }
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Returns a value of a field for date and time, which is local and has no zone. */
export const fieldTime = (date: Date): string =>
  [
    `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`,
    `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`,
  ].join('T');

/** Returns the limits of the field, in its form. */
export const fieldLimits = (now = new Date()): { min: string; max: string } => ({
  min: fieldTime(new Date(now.getTime() + MIN_MS)),
  max: fieldTime(new Date(now.getTime() + MAX_MS)),
});

/** Returns the time of a field, or undefined for an empty value and one outside the limits. */
export function timeOfField(value: string, now = new Date()): Date | undefined {
  const { min, max } = fieldLimits(now);
  return value >= min && value <= max ? new Date(value) : undefined;
}
