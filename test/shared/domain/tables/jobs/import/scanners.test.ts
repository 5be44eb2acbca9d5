/** Tests that records do not depend on the chunks of the file, because resumed imports require that. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { csvLine } from '#shared/domain/tables/jobs/export/exportText.ts';
import { CsvScanner, cellsOf } from '#shared/domain/tables/jobs/import/csvScanner.ts';
import { RECORD_BYTES, type ScannedRecord, type Scanner } from '#shared/domain/tables/jobs/import/importRecords.ts';
import { JsonScanner } from '#shared/domain/tables/jobs/import/jsonScanner.ts';
import fc from '#test/support/fastCheck.ts';

/** Returns all records of a scanner, or the reason of its failure. */
function found(scanner: Scanner, chunks: readonly Buffer[]) {
  const pieces: (Omit<ScannedRecord, 'bytes'> & { text?: string | undefined })[] = [];
  try {
    for (const chunk of [...chunks, undefined]) {
      for (const { bytes, ...piece } of scanner.scan(chunk)) pieces.push({ ...piece, text: bytes?.toString('latin1') });
    }
  } catch (error) {
    return { pieces, fault: (error as Error).message };
  }
  return { pieces };
}

function portions(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const at = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at]
    .map((start, i) => bytes.subarray(start, [...at, bytes.length][i]))
    .filter(({ length }) => length > 0);
}

const textOf = (alphabet: string[]) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: 60 }).map(parts => parts.join(''));
const cuts = fc.array(fc.nat(500), { maxLength: 12 });

describe('the records of a file', () => {
  it('does not depend on the chunks of CSV', () => {
    fc.assert(
      fc.property(textOf(['"', ',', '\n', '\r', 'a', 'b ', '""']), cuts, (text, at) => {
        const whole = found(new CsvScanner(','), [Buffer.from(text)]);
        expect(found(new CsvScanner(','), portions(text, at))).toEqual(whole);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([true, false])('does not depend on the chunks of JSON (rows: %s)', isRow => {
    const alphabet = ['{', '}', '[', ']', '"', ',', ':', '\n', '\\', 'a', '1 ', '{"a":1}', '"rows"'];
    fc.assert(
      fc.property(fc.constantFrom('[', '{', '{"rows":['), textOf(alphabet), cuts, (start, rest, at) => {
        const text = start + rest;
        const whole = found(new JsonScanner(isRow), [Buffer.from(text)]);
        expect(found(new JsonScanner(isRow), portions(text, at))).toEqual(whole);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['csv', `x\n"${'y'.repeat(RECORD_BYTES)}\n${'z'.repeat(2 * RECORD_BYTES)}\nx`],
    ['csv', `x\r\n${'y'.repeat(RECORD_BYTES + 3)}\r\nx\r`],
    ['json', `[{"a":"${'y'.repeat(RECORD_BYTES)}"},\n{"a":1}, ${'['.repeat(RECORD_BYTES)}]`],
    ['jsonl', `{"a":1}\n{"a":${'[\n'.repeat(RECORD_BYTES)}\n{"a":2}`],
    ['jsonl', `{"a":\n"${'y\\"'.repeat(RECORD_BYTES)}"}\n{"a":2}`],
  ])('is skipped if it is too long, regardless of the chunks (%s)', (type, text) => {
    const scanner = () => (type === 'csv' ? new CsvScanner(',') : new JsonScanner(true));
    const whole = found(scanner(), [Buffer.from(text)]);

    for (const step of [100_003, RECORD_BYTES + 1]) {
      const at = Array.from({ length: Math.floor(text.length / step) }, (_, i) => (i + 1) * step);
      // `toEqual` is ten times slower for a million records.
      expect(isDeepStrictEqual(found(scanner(), portions(text, at)), whole)).toBe(true);
    }
    expect(whole.pieces.some(({ fault }) => fault)).toBe(true);
  });

  it('matches the values that a CSV export wrote', () => {
    const cell = fc.option(
      fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'a', 'ä', '🦊'), maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), cells => {
        const { pieces } = found(new CsvScanner(','), [Buffer.from(csvLine(cells))]);
        const read = cellsOf(Buffer.from(pieces[0]!.text!, 'latin1').toString(), ',');
        expect(read.map(({ text, isQuoted }) => (text === '' && !isQuoted ? null : text))).toEqual(cells);
        expect(pieces).toHaveLength(1);
      }),
      { numRuns: 3_000 },
    );
  });
});
