/** Opening hours of a team: whether it is open, and when it opens next. */
import type { ChatSettings } from './package/index.d.ts';

type Hours = NonNullable<ChatSettings['hours']>;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAYS = 7;

export interface Opening {
  isOpen: boolean;
  /** The next opening of a closed team. */
  opensAtMs?: number;
}

/** A date and time in a time zone, as if it were in UTC. */
function wallClockOf(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  }).formatToParts(ms);
  const of = (type: string) => Number(parts.find(each => each.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
}

/**
 * Returns the moment at which the clocks of a time zone show a time. Of a time that they show twice, the first. A time
 * that they skip becomes the moment at which they skip it.
 */
function momentOf(wallClock: number, timeZone: string): number {
  // Offsets a day before and after include both sides of a change.
  const offsets = [-1, 1].map(days => {
    const near = wallClock + days * DAY_MINUTES * MINUTE_MS;
    return wallClockOf(near, timeZone) - near;
  });
  const candidates = offsets.map(offset => wallClock - offset).toSorted((a, b) => a - b);
  const exact = candidates.find(each => wallClockOf(each, timeZone) === wallClock);
  return exact ?? changeBetween(candidates[0]!, candidates[1]!, timeZone, wallClock);
}

/** Finds the minute at which the clocks pass a time that they skip. */
function changeBetween(before: number, after: number, timeZone: string, wallClock: number): number {
  let [low, high] = [before, after];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
    if (wallClockOf(middle, timeZone) < wallClock) low = middle;
    else high = middle;
  }
  return high;
}

/** @param time `HH:MM` */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

export function openingAt({ timeZone, periods }: Hours, nowMs: number): Opening {
  const now = wallClockOf(nowMs, timeZone);
  const midnight = now - (now % (DAY_MINUTES * MINUTE_MS));
  const minute = (now - midnight) / MINUTE_MS;
  // Sunday is 0.
  const today = new Date(midnight).getUTCDay() || DAYS;
  const isOpen = periods.some(
    ({ day, from, to }) => day === today && minutesOf(from) <= minute && minute < minutesOf(to),
  );
  if (isOpen) return { isOpen };
  const openings = periods.flatMap(({ day, from }) => {
    const days = (day - today + DAYS) % DAYS;
    // The period of today may have passed.
    return [days, days + DAYS].map(after =>
      momentOf(midnight + (after * DAY_MINUTES + minutesOf(from)) * MINUTE_MS, timeZone),
    );
  });
  const opensAtMs = openings.filter(each => each > nowMs).toSorted((a, b) => a - b)[0];
  return { isOpen, ...(opensAtMs === undefined ? {} : { opensAtMs }) };
}

/** Days between the dates of two moments in the time zone of the visitor. */
export function daysBetween(fromMs: number, toMs: number): number {
  const [from, to] = [fromMs, toMs].map(ms => new Date(ms).setHours(12, 0, 0, 0)) as [number, number];
  return Math.round((to - from) / (DAY_MINUTES * MINUTE_MS));
}
