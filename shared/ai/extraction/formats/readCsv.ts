/** CSV with any common separator. Semicolons are usual where the decimal mark is a comma. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { Block } from '#shared/core/passage.ts';
import { describeRows } from './describeRows.ts';

const SEPARATORS = [',', ';', '\t', '|'];
const SAMPLE_CHARS = 20_000;
const PIECE_CHARS = 64 * 1024;

export async function* readCsv(text: string): AsyncGenerator<Block> {
  const rows = Readable.from(pieces(text)).pipe(
    parse({
      delimiter: separatorOf(text.slice(0, SAMPLE_CHARS)),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }),
  );
  const { row, end } = describeRows();
  for await (const values of rows as AsyncIterable<string[]>) {
    yield* row(values.map((value, column) => ({ column, value })));
  }
  yield* end();
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = at + PIECE_CHARS;
    // Keeps surrogate pairs together.
    if (text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) < 0xdc00) end++;
    yield text.slice(at, end);
    at = end;
  }
}

function separatorOf(sample: string): string {
  const first =
    sample
      .replace(/"[^"]*"/g, '')
      .split(/[\r\n]/)
      .find(line => line.trim() !== '') ?? '';
  const counts = SEPARATORS.map(separator => first.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}
