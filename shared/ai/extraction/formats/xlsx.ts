/**
 * Excel: each sheet is a title, each row a line, followed by its charts, text boxes and comments. Hidden rows and
 * columns are included, because filters hide rows. Hidden sheets are not.
 */

import { basename } from 'node:path';
import type { Block } from '#shared/core/passage.ts';
import { readChart } from './chart.ts';
import type { EmbeddingContext } from './officeParts.ts';
import { readOfficeText } from './officeText.ts';
import { type Archive, readWhole } from './openArchive.ts';
import { below } from './readEmbedded.ts';
import { type Unread, unreadParts } from './unread.ts';
import { readComments } from './xlsxComments.ts';
import { readStyles } from './xlsxNumbers.ts';
import { readSheet } from './xlsxSheet.ts';
import { readRelations, readXml, relationId } from './xml.ts';

interface Sheet {
  name: string;
  part: string;
  isChart: boolean;
}

export async function* readXlsx(
  archive: Archive,
  mainPart: string,
  context: EmbeddingContext,
): AsyncGenerator<Block | Unread> {
  const relations = await readRelations(archive, mainPart);
  const partOf = (type: string) =>
    [...relations.values()].find(each => each.type === type && archive.has(each.part))?.part;
  const sheets: Sheet[] = [];
  let hiddenSheets = 0;
  let is1904 = false;
  await readXml(archive, mainPart, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const relation = relations.get(relationId(attributes));
      if (!relation || !archive.has(relation.part)) return;
      if (/hidden$/i.test(attributes.state ?? '')) hiddenSheets++;
      else if (relation.type === 'worksheet' || relation.type === 'chartsheet') {
        const isChart = relation.type === 'chartsheet';
        sheets.push({ name: attributes.name ?? '', part: relation.part, isChart });
      }
    },
  });
  const stringsPart = partOf('sharedStrings');
  const strings = stringsPart ? await readStrings(archive, stringsPart) : [];
  const styles = await readStyles(archive, partOf('styles'), is1904);
  let uncomputed = 0;
  for (const { name, part, isChart } of sheets) {
    const sheet = isChart
      ? undefined
      : await readSheet(archive, part, strings, styles, await listHeaderRows(archive, part));
    uncomputed += sheet?.uncomputed ?? 0;
    const blocks = [...(sheet?.blocks ?? []), ...(await readDrawings(archive, part))];
    if (blocks.length > 0) yield { type: 'title', text: name, level: 1 };
    yield* blocks;
    yield* readObjects(archive, part, context);
  }
  yield unreadParts('sheet', hiddenSheets);
  yield unreadParts('formula', uncomputed);
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

/** Returns the numbers of the rows that are headers of declared tables. */
async function listHeaderRows(archive: Archive, sheetPart: string): Promise<Set<number>> {
  const rows = new Set<number>();
  for (const { type, part } of (await readRelations(archive, sheetPart)).values()) {
    if (type !== 'table' || !archive.has(part)) continue;
    await readXml(archive, part, {
      open(name, { ref = '', headerRowCount = '1' }) {
        const row = /^\$?[A-Z]+\$?(\d+)/.exec(ref)?.[1];
        if (name === 'table' && row && headerRowCount !== '0') rows.add(Number(row));
      },
    });
  }
  return rows;
}

/** Returns charts, text boxes, described images and comments of a sheet. */
async function readDrawings(archive: Archive, sheetPart: string): Promise<Block[]> {
  const blocks: Block[] = [];
  const related = [...(await readRelations(archive, sheetPart)).values()].filter(({ part }) => archive.has(part));
  for (const { part } of related.filter(({ type }) => type === 'drawing')) {
    const relations = await readRelations(archive, part);
    for (const piece of await readOfficeText(archive, part, 'cNvPr')) {
      if (piece.kind === 'picture') continue;
      if (piece.kind !== 'reference') blocks.push({ type: piece.kind, text: piece.text });
      else {
        const chart = relations.get(piece.id);
        const isChart = piece.to === 'chart' && chart !== undefined && archive.has(chart.part);
        if (isChart) for await (const block of readChart(archive, chart.part, false)) blocks.push(block);
      }
    }
  }
  const comments = await readComments(archive, related);
  return [...blocks, ...comments.map((text): Block => ({ type: 'paragraph', text }))];
}

/** Yields the documents that a sheet embeds. Objects of other programs are unread. */
async function* readObjects(
  archive: Archive,
  sheetPart: string,
  { readEmbedded, typeOf }: EmbeddingContext,
): AsyncGenerator<Block | Unread> {
  for (const { part, type } of (await readRelations(archive, sheetPart)).values()) {
    if (!archive.has(part)) continue;
    if (type === 'oleObject') yield unreadParts('object');
    else if (type === 'package') {
      yield* below(1, readEmbedded(await readWhole(archive, part), { contentType: typeOf(part), key: basename(part) }));
    }
  }
}
