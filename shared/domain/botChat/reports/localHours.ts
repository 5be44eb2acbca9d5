/** Hours of UTC in a time zone. Reports count by UTC hour (docs/api/botChat.md#reports). */

interface LocalHour {
  date: string;
  /** 0 is Monday. */
  weekday: number;
  hour: number;
}

/** Name of a zone in the IANA database. `Intl` also accepts offsets, which have no rules for summer time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Returns a function from the start of an hour of UTC to the local hour that contains it. In a zone whose offset is not
 * a whole number of hours, the rest of the UTC hour belongs to the same local hour.
 */
export function localHoursOf(timeZone: string): (ms: number) => LocalHour {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  const known = new Map<number, LocalHour>();
  return ms => {
    const hour = known.get(ms) ?? localHour(format, ms);
    known.set(ms, hour);
    return hour;
  };
}

function localHour(format: Intl.DateTimeFormat, ms: number): LocalHour {
  const { year, month, day, hour } = Object.fromEntries(
    format.formatToParts(ms).map(({ type, value }) => [type, value]),
  ) as Record<'year' | 'month' | 'day' | 'hour', string>;
  const date = `${year}-${month}-${day}`;
  return { date, weekday: (new Date(date).getUTCDay() + 6) % 7, hour: Number(hour) };
}
