/** Guesses the columns of a CSV file from its first lines. */
import { parse } from 'csv-parse/browser/esm/sync';

export const KINDS = ['string', 'number', 'boolean', 'date', 'object', 'array'] as const;
export type Kind = (typeof KINDS)[number];

export interface NewColumn {
  name: string;
  kind: Kind;
}

const HEAD_BYTES = 64 * 1024;
const LINES = 100;
/** Built-in columns. */
const GIVEN = new Set(['id', 'createdAt', 'updatedAt', 'computed', 'stale']);

const PATTERNS: [Kind, RegExp][] = [
  ['number', /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/],
  ['boolean', /^(true|false)$/i],
  ['date', /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/],
];

export async function readColumns(file: Blob): Promise<NewColumn[]> {
  const text = await file.slice(0, HEAD_BYTES).text();
  // The last line may be incomplete.
  const whole = file.size > HEAD_BYTES ? text.slice(0, text.lastIndexOf('\n')) : text;
  const [head = [], ...lines] = parse(whole, {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    to: LINES,
  }) as string[][];
  return head
    .map((name, i) => ({ name, kind: kindOf(lines.map(line => line[i] ?? '').filter(Boolean)) }))
    .filter(({ name }) => name !== '' && !GIVEN.has(name));
}

const kindOf = (values: string[]): Kind =>
  (values.length > 0 && PATTERNS.find(([, pattern]) => values.every(value => pattern.test(value)))?.[0]) || 'string';
