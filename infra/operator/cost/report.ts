import { type Line, totalOf } from './estimate.ts';

/** Formats a price as `$0.02`. */
export const dollars = (usd: number): string =>
  `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export function asText(lines: readonly Line[]): string {
  const rows = [...lines.map(({ service, what, usd }) => [service, what, dollars(usd)] as const)];
  const all = [...rows, ['A month', '', dollars(totalOf(lines))] as const];
  const width = (column: 0 | 1 | 2) => Math.max(...all.map(row => row[column].length));
  return all
    .map(([service, what, usd]) => `${service.padEnd(width(0))}  ${what.padEnd(width(1))}  ${usd.padStart(width(2))}`)
    .join('\n');
}

export function byService(lines: readonly Line[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { service, usd } of lines) sums.set(service, (sums.get(service) ?? 0) + usd);
  return sums;
}
