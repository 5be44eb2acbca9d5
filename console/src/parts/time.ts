/** Formats times in the user's time zone. */
import { locale } from '../messages/language.ts';

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const SECOND = { second: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;

const WHOLE = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

/** Formats are expensive to create, and a list uses the same ones in each row. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatted(date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format.format(date);
}

const isSameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();

/** Omits parts that today's date implies. */
export function formatTime(at: string, isExact: boolean, now = new Date()): string {
  const date = new Date(at);
  const time = { ...TIME, ...(isExact ? SECOND : {}) };
  if (isSameDay(date, now)) return formatted(date, time);
  if (date.getFullYear() === now.getFullYear()) return formatted(date, { ...DAY, ...time });
  return formatted(date, isExact ? { ...DAY, year: 'numeric', ...time } : { ...DAY, year: 'numeric' });
}

export const formatWhole = (at: string): string => WHOLE.format(new Date(at));

/** Returns the shortest form for narrow lists: the time if today, else the day. */
export function formatShort(at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return formatted(date, TIME);
  return formatted(date, date.getFullYear() === now.getFullYear() ? DAY : { ...DAY, year: '2-digit' });
}

/** Returns the weekday and the time, for times of the next days. */
export const formatDayAndTime = (date: Date): string => formatted(date, { weekday: 'short', ...TIME });

const MINUTE_MS = 60_000;
const unitFormat = (unit: string) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' });
const UNITS = [
  [unitFormat('day'), 24 * 60],
  [unitFormat('hour'), 60],
  [unitFormat('minute'), 1],
] as const;

/** Returns the time since then in its largest unit, such as "5 min". */
export function formatSince(at: string, nowMs = Date.now()): string {
  const minutes = Math.max(1, Math.floor((nowMs - Date.parse(at)) / MINUTE_MS));
  const [format, size] = UNITS.find(([, most]) => minutes >= most) ?? UNITS[2];
  return format.format(Math.floor(minutes / size));
}

const AGO = new Intl.RelativeTimeFormat(locale, { style: 'short' });
const AGO_UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Returns the time since then as a phrase, such as "5 min. ago". */
export function formatAgo(at: string, nowMs = Date.now()): string {
  const minutes = Math.max(1, Math.floor((nowMs - Date.parse(at)) / MINUTE_MS));
  const [unit, size] = AGO_UNITS.find(([, most]) => minutes >= most) ?? AGO_UNITS[2];
  return AGO.format(-Math.floor(minutes / size), unit);
}

export const formatDay = (at: string): string => formatted(new Date(at), { weekday: 'long', ...DAY, year: 'numeric' });

/** Returns the day of a UTC time for chart axes. */
export const formatUtcDay = (at: string): string => formatted(new Date(at), { ...DAY, timeZone: 'UTC' });

export const isOnSameDay = (a: string, b: string): boolean => isSameDay(new Date(a), new Date(b));
