/** Reads the rows of a sheet of Excel. */
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { type Cell, describeRows } from './describeRows.ts';
import type { Archive } from './openArchive.ts';
import type { CellStyles } from './xlsxNumbers.ts';
import { readXml } from './xml.ts';

/** Excel's own limit. */
const COLUMNS_LIMIT = 16_384;
/** Limits the displayed text, because any number of cells can share a string. */
const SHEET_LIMIT_CHARS = 100_000_000;
/** Codes in the header and footer of the printed page: fonts, page numbers, dates. */
const PRINT_CODES = /&(?:"[^"]*"|K[\dA-F+-]{6}|\d+|[A-Z&])/gi;
const PRINTED = new Set(['oddHeader', 'oddFooter', 'firstHeader', 'firstFooter']);

/** @param headerRows numbers of rows that are headers. @returns also the number of formulas without a result */
export async function readSheet(
  archive: Archive,
  part: string,
  strings: string[],
  styles: CellStyles,
  headerRows: Set<number>,
): Promise<{ blocks: Block[]; uncomputed: number }> {
  const blocks: Block[] = [];
  const { row, end } = describeRows();
  let cells: Cell[] = [];
  let cell = { column: 0, value: '', type: 'n', style: 0, isFormula: false };
  let printed = '';
  let nextColumn = 0;
  let rowNumber = 0;
  let uncomputed = 0;
  let phoneticDepth = 0;
  let isValue = false;
  let isPrinted = false;
  let chars = 0;
  const keep = (added: Block[]) => {
    for (const block of added) {
      chars += block.text.length;
      blocks.push(block);
    }
    if (chars > SHEET_LIMIT_CHARS) {
      throw new UnreadableFileError(
        `A sheet shows more than ${SHEET_LIMIT_CHARS / 1e6} million characters. Split it into smaller sheets.`,
      );
    }
  };
  const openRow = (number: number) => {
    cells = [];
    nextColumn = 0;
    if (number > rowNumber + 1) keep(row([]));
    rowNumber = number;
  };
  const closeCell = () => {
    const value = textOf(cell, strings, styles);
    if (cell.isFormula && cell.value === '' && cell.type !== 'str') uncomputed++;
    if (!value || cell.column >= COLUMNS_LIMIT) return;
    cells.push({ column: cell.column, value, ...(styles.isBold(cell.style) && { isBold: true }) });
  };
  const closePrinted = () => {
    isPrinted = false;
    const text = printed.replace(PRINT_CODES, ' ').replace(/\s+/g, ' ').trim();
    if (text) keep([{ type: 'paragraph', text }]);
    printed = '';
  };
  await readXml(archive, part, {
    open(name, { r, t = 'n', s = '0' }) {
      if (name === 'row') openRow(Number(r ?? rowNumber + 1));
      else if (name === 'c') {
        const column = r === undefined ? nextColumn : columnOf(r);
        nextColumn = column + 1;
        cell = { column, value: '', type: t, style: Number(s), isFormula: false };
      } else if (name === 'f') cell.isFormula = true;
      else if (name === 'rPh') phoneticDepth++;
      else if (name === 'v' || name === 't') isValue = phoneticDepth === 0;
      else if (PRINTED.has(name)) isPrinted = true;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'rPh') phoneticDepth--;
      else if (name === 'c') closeCell();
      else if (name === 'row') keep(row(cells, headerRows.has(rowNumber)));
      else if (name === 'sheetData') keep(end());
      else if (PRINTED.has(name)) closePrinted();
    },
    text(chunk) {
      if (isValue) cell.value += chunk;
      else if (isPrinted) printed += chunk;
    },
  });
  return { blocks, uncomputed };
}

function textOf(
  { type, value, style }: { type: string; value: string; style: number },
  strings: string[],
  styles: CellStyles,
): string {
  if (value === '') return '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' ? styles.show(value, style) : value;
}

/** @param reference such as `AB12` */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
