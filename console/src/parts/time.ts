/** Formats times in the user's time zone. */

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const SECOND = { second: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;

const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const isSameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();

/** Omits parts that today's date implies. */
export function formatTime(at: string, isExact: boolean, now = new Date()): string {
  const date = new Date(at);
  const time = { ...TIME, ...(isExact ? SECOND : {}) };
  if (isSameDay(date, now)) return date.toLocaleTimeString(undefined, time);
  if (date.getFullYear() === now.getFullYear()) return date.toLocaleString(undefined, { ...DAY, ...time });
  return date.toLocaleString(undefined, isExact ? { ...DAY, year: 'numeric', ...time } : { ...DAY, year: 'numeric' });
}

export const formatWhole = (at: string): string => WHOLE.format(new Date(at));

/** Returns the shortest form for narrow lists: the time if today, else the day. */
export function formatShort(at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return date.toLocaleTimeString(undefined, TIME);
  return date.toLocaleDateString(
    undefined,
    date.getFullYear() === now.getFullYear() ? DAY : { ...DAY, year: '2-digit' },
  );
}

export const formatDay = (at: string): string =>
  new Date(at).toLocaleDateString(undefined, { weekday: 'long', ...DAY, year: 'numeric' });

/** Returns the day of a UTC time for chart axes. */
export const formatUtcDay = (at: string): string =>
  new Date(at).toLocaleDateString(undefined, { ...DAY, timeZone: 'UTC' });

export const isOnSameDay = (a: string, b: string): boolean => isSameDay(new Date(a), new Date(b));
