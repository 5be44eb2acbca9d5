import { isUtf8 } from 'node:buffer';
import { startOf } from '#shared/core/excerpt.ts';
import { isEscapedHeader } from '#shared/domain/tables/jobs/export/exportText.ts';
import { unescapeFormula } from '#shared/domain/tables/jobs/formulaEscapes.ts';
import { JobFailure } from '#shared/domain/tables/jobs/jobRun.ts';
import { type Column, SYSTEM_COLUMNS } from '#shared/storage/dynamodb/tables/column.ts';
import { cellsOf } from './csvScanner.ts';
import { faultIn, type ImportRecord, NOT_UTF8, type ParsedRecord, type ScannedRecord } from './importRecords.ts';
import { readCell } from './readCell.ts';

type Field = Column | undefined;

export async function* csvRecords(
  pieces: AsyncIterable<ScannedRecord>,
  columns: readonly Column[],
  separator: string,
): AsyncGenerator<ImportRecord> {
  let header: CsvHeader | undefined;
  for await (const { line, bytes, fault } of pieces) {
    if (!header) {
      if (!bytes || !isUtf8(bytes)) throw new JobFailure(`The header line is invalid: ${fault ?? NOT_UTF8}`);
      header = readHeader(bytes.toString(), columns, separator);
      continue;
    }
    const known = header;
    const read = () => (bytes ? readCsv(bytes, known, separator) : { fault: fault! });
    yield { line, bytes: bytes?.length ?? 0, read };
  }
  if (!header) throw new JobFailure('The file is empty: it has no header line.');
}

interface CsvHeader {
  fields: Field[];
  unknown: string[];
  isEscaped: boolean;
}

function readHeader(text: string, columns: readonly Column[], separator: string): CsvHeader {
  const cells = cellsOf(text, separator);
  const names = cells.map(cell => cell.text.trim());
  const known = names.map(name => columns.find(column => column.name === name));
  const repeated = names.find((name, i) => known[i] && names.indexOf(name) !== i);
  if (repeated !== undefined) throw new JobFailure(`The header line names the column "${repeated}" twice.`);
  if (!known.some(Boolean)) {
    throw new JobFailure(
      `The header line names no column of the table. It starts with ${JSON.stringify(startOf(names[0]!, 100))}.`,
    );
  }
  const isSystem = (name: string) => SYSTEM_COLUMNS.some(column => column === name);
  return {
    fields: known,
    unknown: names.filter((name, i) => !known[i] && name !== '' && !isSystem(name)),
    isEscaped: isEscapedHeader(cells),
  };
}

function readCsv(bytes: Buffer, { fields, unknown, isEscaped }: CsvHeader, separator: string): ParsedRecord {
  if (!isUtf8(bytes)) return { fault: NOT_UTF8 };
  const cells = cellsOf(bytes.toString(), separator);
  if (cells.length > fields.length) {
    return { fault: `The row has ${cells.length} values, but the header line names ${fields.length} columns.` };
  }
  const values: Record<string, unknown> = Object.fromEntries(unknown.map(name => [name, null]));
  try {
    fields.forEach((column, i) => {
      if (!column) return;
      const cell = cells[i];
      values[column.name] = readCell(column, isEscaped && cell ? { ...cell, text: unescapeFormula(cell.text) } : cell);
    });
  } catch (error) {
    const fault = faultIn(error);
    if (fault === undefined) throw error;
    return { fault };
  }
  return { values };
}
