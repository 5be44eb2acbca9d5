/** Reads paragraphs, tables and images from the markup that Word, PowerPoint and drawings of Excel share. */
import type { Archive } from './openArchive.ts';
import { attribute, readXml, relationId } from './xml.ts';

/** Piece of a note or comment, such as a footnote. */
interface Owned {
  /** Id of the note. */
  owner?: string;
  author?: string;
}

export interface OfficeParagraph extends Owned {
  kind: 'paragraph';
  text: string;
  styleId?: string;
  /** Word: 0 for the highest heading, 9 for none. */
  outlineLevel?: number;
  isListItem?: boolean;
  /** PowerPoint: role of the shape, such as `title` or `body`. */
  placeholder?: string;
}

/** Reference to another part, or to a note within one. */
export interface OfficeReference extends Owned {
  kind: 'reference';
  to: 'chart' | 'diagram' | 'chunk' | 'object' | 'footnote' | 'endnote' | 'comment';
  id: string;
}

export type OfficePiece =
  | OfficeParagraph
  | OfficeReference
  | ({ kind: 'table' | 'image'; text: string } & Owned)
  /** An image without a description. */
  | ({ kind: 'picture' } & Owned);

/** Fallbacks for older programs, moved text, and phonetic guides. */
const SKIPPED = new Set(['Fallback', 'moveFrom', 'rt']);
const OWNERS = new Set(['footnote', 'endnote', 'comment']);
const PICTURES = new Set(['blip', 'imagedata']);
const PARTS: Record<string, OfficeReference['to']> = {
  chart: 'chart',
  altChunk: 'chunk',
  OLEObject: 'object',
  oleObj: 'object',
};
const NOTES: Record<string, OfficeReference['to']> = {
  footnoteReference: 'footnote',
  endnoteReference: 'endnote',
  commentReference: 'comment',
};

/** @param imageElement element whose `descr` describes an image; other elements repeat it */
export async function readOfficeText(
  archive: Archive,
  part: string,
  imageElement: 'docPr' | 'cNvPr',
): Promise<OfficePiece[]> {
  const pieces: OfficePiece[] = [];
  /** A stack, because a text box has paragraphs inside a paragraph. */
  const open: OfficeParagraph[] = [];
  /** References inside a paragraph or table, which they follow. */
  let pending: OfficePiece[] = [];
  let rows: string[][] = [];
  let owned: Owned = {};
  let tableDepth = 0;
  let skippedDepth = 0;
  let runDepth = 0;
  let isText = false;
  let isHidden = false;
  let isDescribed = false;
  let placeholder: string | undefined;

  const add = (text: string) => {
    const paragraph = open.at(-1);
    if (paragraph) paragraph.text += text;
  };
  const refer = (to: OfficeReference['to'], id: string) => {
    if (id) pending.push({ kind: 'reference', to, id, ...owned });
    flush();
  };
  const flush = () => {
    if (open.length > 0 || tableDepth > 0) return;
    pieces.push(...pending);
    pending = [];
  };
  const closeParagraph = () => {
    const paragraph = open.pop();
    if (!paragraph) return;
    if (tableDepth === 0) {
      if (paragraph.text.trim() !== '') pieces.push(paragraph);
      return flush();
    }
    const row = rows.at(-1);
    if (row?.length) row[row.length - 1] = `${row.at(-1)} ${paragraph.text}`.trim().replace(/\s+/g, ' ');
  };
  const openImage = (description = '') => {
    isDescribed = description.trim() !== '';
    if (isDescribed) pieces.push({ kind: 'image', text: description, ...owned });
  };

  await readXml(archive, part, {
    open(name, attributes) {
      if (skippedDepth > 0 || SKIPPED.has(name)) return void skippedDepth++;
      const value = () => attribute(attributes, 'val');
      const isOn = () => !/^(0|false|off)$/.test(value() ?? '');
      const paragraph = open.at(-1);
      if (name === 'p') open.push({ kind: 'paragraph', text: '', ...(placeholder && { placeholder }), ...owned });
      else if (name === 'r') {
        runDepth++;
        isHidden = false;
      } else if (name === 't') isText = true;
      else if (name === 'br' || name === 'cr') add('\n');
      // Outside a run, `tab` defines a tab stop.
      else if (name === 'tab' && runDepth > 0) add('\t');
      else if (name === 'ptab') add('\t');
      else if (name === 'noBreakHyphen') add('-');
      else if (name === 'vanish' && runDepth > 0) isHidden = isOn();
      else if (name === 'sp' || name === 'pic') placeholder = undefined;
      else if (name === 'ph') placeholder = attributes.type ?? 'body';
      else if (name === 'tbl' && ++tableDepth === 1) rows = [];
      else if (name === 'tr' && tableDepth === 1) rows.push([]);
      else if (name === 'tc' && tableDepth === 1) rows.at(-1)?.push('');
      else if (name === imageElement) openImage(attributes.descr);
      else if (PICTURES.has(name) && !isDescribed) pieces.push({ kind: 'picture', ...owned });
      else if (name === 'relIds') refer('diagram', attribute(attributes, 'dm') ?? '');
      else if (Object.hasOwn(PARTS, name)) refer(PARTS[name]!, relationId(attributes));
      else if (Object.hasOwn(NOTES, name)) refer(NOTES[name]!, attribute(attributes, 'id') ?? '');
      else if (OWNERS.has(name)) {
        owned = { owner: attribute(attributes, 'id') ?? '', author: attribute(attributes, 'author') ?? '' };
      } else if (paragraph && name === 'pStyle') paragraph.styleId = value() ?? '';
      else if (paragraph && name === 'outlineLvl') paragraph.outlineLevel = Number(value());
      else if (paragraph && name === 'numId') paragraph.isListItem = value() !== '0';
    },
    close(name) {
      if (skippedDepth > 0) return void skippedDepth--;
      if (name === 'p') closeParagraph();
      else if (name === 'r') runDepth--;
      else if (name === 't') isText = false;
      else if (OWNERS.has(name)) owned = {};
      else if (name === 'tbl' && --tableDepth === 0) {
        pieces.push({ kind: 'table', text: tableText(rows), ...owned });
        flush();
      }
    },
    text(text) {
      if (isText && !isHidden && skippedDepth === 0) add(text);
    },
  });
  return pieces;
}

/** Tables for layout have empty rows. */
const tableText = (rows: string[][]) =>
  rows
    .filter(row => row.some(Boolean))
    .map(row => row.join(' | '))
    .join('\n');
