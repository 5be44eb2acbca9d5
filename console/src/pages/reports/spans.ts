/** Spans of a report: calendar weeks and months, and the last days. Dates are those of the user's time zone. */

export const SPANS = ['week', 'month', '7', '30', '90'] as const;
export type SpanKind = (typeof SPANS)[number];

export interface Span {
  from: string;
  to: string;
}

const DAY_MS = 24 * 3_600_000;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Dates without a time zone are calculated in UTC. */
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const addDays = (date: string, days: number) => dateOf(Date.parse(date) + days * DAY_MS);
const startOfMonth = (date: string) => `${date.slice(0, 7)}-01`;

export const isDate = (text: string) =>
  DATE.test(text) && !Number.isNaN(Date.parse(text)) && dateOf(Date.parse(text)) === text;

/** Returns today's date in the user's time zone. */
export function today(now = new Date()): string {
  return dateOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

/** Returns the span that contains a date. Weeks start on Monday. The last days end on the date. */
export function spanOf(kind: SpanKind, date: string): Span {
  if (kind === 'week') {
    const from = addDays(date, -((new Date(date).getUTCDay() + 6) % 7));
    return { from, to: addDays(from, 6) };
  }
  if (kind === 'month') {
    const from = startOfMonth(date);
    return { from, to: addDays(startOfMonth(addDays(from, 31)), -1) };
  }
  return { from: addDays(date, 1 - Number(kind)), to: date };
}

/** Returns a date in the span before or after. */
export function neighbour(kind: SpanKind, { from, to }: Span, direction: 'previous' | 'next'): string {
  if (direction === 'previous') return addDays(from, -1);
  return kind === 'week' || kind === 'month' ? addDays(to, 1) : addDays(to, Number(kind));
}
