/** Reads paragraphs, tables and images from the markup that Word and PowerPoint share. */
import type { Archive } from './openArchive.ts';
import { attribute, readXml } from './xml.ts';

export interface OfficeParagraph {
  kind: 'paragraph';
  text: string;
  styleId?: string;
  /** Word: 0 for the highest heading, 9 for none. */
  outlineLevel?: number;
  isListItem?: boolean;
  /** PowerPoint: role of the shape, such as `title` or `body`. */
  placeholder?: string;
}
export type OfficePiece = OfficeParagraph | { kind: 'table' | 'image'; text: string };

/** Fallbacks for older programs, moved text, and phonetic guides. */
const SKIPPED = new Set(['Fallback', 'moveFrom', 'rt']);

/** @param imageElement element whose `descr` describes an image; other elements repeat it */
export async function readOfficeText(
  archive: Archive,
  part: string,
  imageElement: 'docPr' | 'cNvPr',
): Promise<OfficePiece[]> {
  const pieces: OfficePiece[] = [];
  /** A stack, because a text box has paragraphs inside a paragraph. */
  const open: OfficeParagraph[] = [];
  let rows: string[][] = [];
  let tableDepth = 0;
  let skippedDepth = 0;
  let runDepth = 0;
  let isText = false;
  let placeholder: string | undefined;

  const add = (text: string) => {
    const paragraph = open.at(-1);
    if (paragraph) paragraph.text += text;
  };
  const closeParagraph = () => {
    const paragraph = open.pop();
    if (!paragraph) return;
    if (tableDepth === 0) {
      if (paragraph.text.trim() !== '') pieces.push(paragraph);
      return;
    }
    const row = rows.at(-1);
    if (row?.length) row[row.length - 1] = `${row.at(-1)} ${paragraph.text}`.trim().replace(/\s+/g, ' ');
  };

  await readXml(archive, part, {
    open(name, attributes) {
      if (skippedDepth > 0 || SKIPPED.has(name)) return void skippedDepth++;
      const value = () => attribute(attributes, 'val');
      const paragraph = open.at(-1);
      if (name === 'p') open.push({ kind: 'paragraph', text: '', ...(placeholder && { placeholder }) });
      else if (name === 'r') runDepth++;
      else if (name === 't') isText = true;
      else if (name === 'br' || name === 'cr') add('\n');
      // Outside a run, `tab` defines a tab stop.
      else if (name === 'tab' && runDepth > 0) add('\t');
      else if (name === 'noBreakHyphen') add('-');
      else if (name === 'sp' || name === 'pic') placeholder = undefined;
      else if (name === 'ph') placeholder = attributes.type ?? 'body';
      else if (name === 'tbl' && ++tableDepth === 1) rows = [];
      else if (name === 'tr' && tableDepth === 1) rows.push([]);
      else if (name === 'tc' && tableDepth === 1) rows.at(-1)?.push('');
      else if (name === imageElement && attributes.descr) pieces.push({ kind: 'image', text: attributes.descr });
      else if (paragraph && name === 'pStyle') paragraph.styleId = value() ?? '';
      else if (paragraph && name === 'outlineLvl') paragraph.outlineLevel = Number(value());
      else if (paragraph && name === 'numId') paragraph.isListItem = value() !== '0';
    },
    close(name) {
      if (skippedDepth > 0) return void skippedDepth--;
      if (name === 'p') closeParagraph();
      else if (name === 'r') runDepth--;
      else if (name === 't') isText = false;
      else if (name === 'tbl' && --tableDepth === 0) {
        pieces.push({ kind: 'table', text: rows.map(row => row.join(' | ')).join('\n') });
      }
    },
    text(text) {
      if (isText && skippedDepth === 0) add(text);
    },
  });
  return pieces;
}
