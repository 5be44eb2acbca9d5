/** Excel: each sheet is a title, each row a line. Numbers are formatted as in their cells. */

import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { type Cell, describeRows } from './describeRows.ts';
import type { Archive } from './openArchive.ts';
import { readStyles, type Show } from './xlsxNumbers.ts';
import { attribute, readRelations, readXml } from './xml.ts';

/** Excel's own limit. */
const COLUMNS_LIMIT = 16_384;
/** Limits the displayed text, because any number of cells can share a string. */
const SHEET_LIMIT_CHARS = 100_000_000;

export async function* readXlsx(archive: Archive, mainPart: string): AsyncGenerator<Block> {
  const relations = await readRelations(archive, mainPart);
  const partOf = (type: string) =>
    [...relations.values()].find(each => each.type === type && archive.has(each.part))?.part;
  const sheets: { name: string; part: string }[] = [];
  let is1904 = false;
  await readXml(archive, mainPart, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const relation = relations.get(attribute(attributes, 'id') ?? '');
      if (relation?.type === 'worksheet' && archive.has(relation.part)) {
        sheets.push({ name: attributes.name ?? '', part: relation.part });
      }
    },
  });
  const stringsPart = partOf('sharedStrings');
  const stylesPart = partOf('styles');
  const strings = stringsPart ? await readStrings(archive, stringsPart) : [];
  const show = await readStyles(archive, stylesPart, is1904);
  for (const { name, part } of sheets) {
    const blocks = await readSheet(archive, part, strings, show);
    if (blocks.length === 0) continue;
    yield { type: 'title', text: name, level: 1 };
    yield* blocks;
  }
}

async function readStrings(archive: Archive, part: string): Promise<string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await readXml(archive, part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    close(name) {
      if (name === 'si') strings.push(text);
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 't') isText = false;
    },
    text(chunk) {
      if (isText) text += chunk;
    },
  });
  return strings;
}

async function readSheet(archive: Archive, part: string, strings: string[], show: Show): Promise<Block[]> {
  const blocks: Block[] = [];
  const { row, end } = describeRows();
  let cells: Cell[] = [];
  let cell: Cell & { type: string; style: number } = { column: 0, value: '', type: 'n', style: 0 };
  let nextColumn = 0;
  let isValue = false;
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
  await readXml(archive, part, {
    open(name, { r, t = 'n', s = '0' }) {
      if (name === 'row') {
        cells = [];
        nextColumn = 0;
      } else if (name === 'c') {
        const column = r === undefined ? nextColumn : columnOf(r);
        nextColumn = column + 1;
        cell = { column, value: '', type: t, style: Number(s) };
      } else if (name === 'v' || name === 't') isValue = true;
      else if (name === 'rPh') isValue = false;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c') {
        const value = textOf(cell, strings, show);
        if (value && cell.column < COLUMNS_LIMIT) cells.push({ column: cell.column, value });
      } else if (name === 'row') keep(row(cells));
    },
    text(chunk) {
      if (isValue) cell.value += chunk;
    },
  });
  keep(end());
  return blocks;
}

function textOf({ type, value, style }: { type: string; value: string; style: number }, strings: string[], show: Show) {
  if (value === '') return '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' ? show(value, style) : value;
}

/** @param reference such as `AB12` */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
