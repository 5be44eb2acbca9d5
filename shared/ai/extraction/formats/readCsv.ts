/** CSV with any common separator. Semicolons are usual where the decimal mark is a comma. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { Block } from '#shared/core/passage.ts';
import { describeRows } from './describeRows.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** The first line of files for Excel. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?[^\S\r\n]*(?:\r\n?|\n)/i;
const SAMPLE_CHARS = 20_000;
const PIECE_CHARS = 64 * 1024;

export async function* readCsv(raw: string): AsyncGenerator<Block> {
  const declared = SEPARATOR_LINE.exec(raw);
  const text = declared ? raw.slice(declared[0].length) : raw;
  const rows = Readable.from(pieces(text)).pipe(
    parse({
      delimiter: declared?.[1] ?? separatorOf(text.slice(0, SAMPLE_CHARS)),
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
