/** Formats of the figures of a report. An absent figure is a dash. */
import type { Report } from '../../api/contract.ts';
import { locale } from '../../messages/language.ts';

export type Figures = Report['totals'];

const NONE = '–';
const PERCENT = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const DECIMAL = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const DATE = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const SHORT = new Intl.DateTimeFormat(locale, DATE);
const WITH_YEAR = new Intl.DateTimeFormat(locale, { ...DATE, year: 'numeric' });
const MONTH = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const LONG_WEEKDAY = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });

export const formatCount = (value: number): string => value.toLocaleString(locale);
export const formatShare = (value: number | undefined): string => (value === undefined ? NONE : PERCENT.format(value));
export const formatAverage = (value: number | undefined): string =>
  value === undefined ? NONE : DECIMAL.format(value);

const unit = (name: string, digits: number) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
const SECONDS = unit('second', 0);
const MINUTES = unit('minute', 0);
const FEW_MINUTES = unit('minute', 1);
const HOURS = unit('hour', 1);
const DAYS = unit('day', 1);
const [MINUTE_S, HOUR_S, DAY_S] = [60, 3_600, 86_400] as const;

/** Returns a duration in its largest unit, such as "12 min". Longest estimate of the API: 24 hours. */
export function formatSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return NONE;
  if (seconds < 1.5 * MINUTE_S) return SECONDS.format(seconds);
  if (seconds < 10 * MINUTE_S) return FEW_MINUTES.format(seconds / MINUTE_S);
  if (seconds < 1.5 * HOUR_S) return MINUTES.format(seconds / MINUTE_S);
  return seconds <= 2 * DAY_S ? HOURS.format(seconds / HOUR_S) : DAYS.format(seconds / DAY_S);
}

export const formatDate = (date: string): string => SHORT.format(new Date(date));
export const formatSpan = (from: string, to: string): string => WITH_YEAR.formatRange(new Date(from), new Date(to));
export const formatMonth = (date: string): string => MONTH.format(new Date(date));

/** January 5, 2026 is a Monday. */
const nthDay = (weekday: number) => new Date(Date.UTC(2026, 0, 5 + weekday));
/** @param weekday 0 is Monday */
export const formatWeekday = (weekday: number, isLong = false): string =>
  (isLong ? LONG_WEEKDAY : WEEKDAY).format(nthDay(weekday));
