/** Formats times in the user's time zone. */
import { locale } from '../messages/language.ts';

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const SECOND = { second: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;

const WHOLE = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

const isSameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();

/** Omits parts that today's date implies. */
export function formatTime(at: string, isExact: boolean, now = new Date()): string {
  const date = new Date(at);
  const time = { ...TIME, ...(isExact ? SECOND : {}) };
  if (isSameDay(date, now)) return date.toLocaleTimeString(locale, time);
  if (date.getFullYear() === now.getFullYear()) return date.toLocaleString(locale, { ...DAY, ...time });
  return date.toLocaleString(locale, isExact ? { ...DAY, year: 'numeric', ...time } : { ...DAY, year: 'numeric' });
}

export const formatWhole = (at: string): string => WHOLE.format(new Date(at));

/** Returns the shortest form for narrow lists: the time if today, else the day. */
export function formatShort(at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return date.toLocaleTimeString(locale, TIME);
  return date.toLocaleDateString(locale, date.getFullYear() === now.getFullYear() ? DAY : { ...DAY, year: '2-digit' });
}

const MINUTE_MS = 60_000;
const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Returns the time since then in its largest unit, such as "5 min". */
export function formatSince(at: string, nowMs = Date.now()): string {
  const minutes = Math.max(1, Math.floor((nowMs - Date.parse(at)) / MINUTE_MS));
  const [unit, size] = UNITS.find(([, most]) => minutes >= most) ?? UNITS[2];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.floor(minutes / size),
  );
}

export const formatDay = (at: string): string =>
  new Date(at).toLocaleDateString(locale, { weekday: 'long', ...DAY, year: 'numeric' });

/** Returns the day of a UTC time for chart axes. */
export const formatUtcDay = (at: string): string =>
  new Date(at).toLocaleDateString(locale, { ...DAY, timeZone: 'UTC' });

export const isOnSameDay = (a: string, b: string): boolean => isSameDay(new Date(a), new Date(b));
