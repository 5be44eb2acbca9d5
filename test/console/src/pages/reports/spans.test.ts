import { expect, it } from 'vitest';
import { isDate, neighbour, spanOf, today } from '../../../../../console/src/pages/reports/spans.ts';

it.each([
  ['week', '2026-11-23', '2026-11-23', '2026-11-29'],
  ['week', '2026-11-29', '2026-11-23', '2026-11-29'],
  ['week', '2027-01-01', '2026-12-28', '2027-01-03'],
  ['month', '2026-02-14', '2026-02-01', '2026-02-28'],
  ['month', '2028-02-29', '2028-02-01', '2028-02-29'],
  ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
  ['7', '2026-03-03', '2026-02-25', '2026-03-03'],
] as const)('returns the %s of %s', (kind, date, from, to) => {
  expect(spanOf(kind, date)).toEqual({ from, to });
});

it.each(['week', 'month', '7', '30', '90'] as const)('returns adjacent spans of %s', kind => {
  const span = spanOf(kind, '2026-03-31');

  const before = spanOf(kind, neighbour(kind, span, 'previous'));
  const after = spanOf(kind, neighbour(kind, span, 'next'));

  expect(Date.parse(span.from) - Date.parse(before.to)).toBe(24 * 3_600_000);
  expect(Date.parse(after.from) - Date.parse(span.to)).toBe(24 * 3_600_000);
});

it('accepts existing dates only', () => {
  expect(['2026-02-28', '2026-02-29', '2026-13-01', 'today', ''].map(isDate)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

it("returns today's date in the local time zone", () => {
  expect(today(new Date(2026, 0, 1, 0, 30))).toBe('2026-01-01');
  expect(today(new Date(2026, 0, 1, 23, 30))).toBe('2026-01-01');
});
