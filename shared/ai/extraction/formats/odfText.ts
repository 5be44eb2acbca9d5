/** Reads paragraphs, lists, tables and images from the markup of OpenDocument. */
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { type Cell, describeRows } from './describeRows.ts';
import type { Archive } from './openArchive.ts';
import { attribute, readXml } from './xml.ts';

/** Reference to an embedded object, such as a chart. */
export interface OdfObject {
  object: string;
  pageNumber?: number;
}

interface OdfText {
  pieces: (Block | OdfObject)[];
  hiddenSheets: number;
}

interface Paragraph {
  text: string;
  hasField?: boolean;
  level?: number;
  isTitle?: boolean;
}

/** Deleted text, numbers of notes, phonetic guides, and details of comments. */
const SKIPPED = new Set(['tracked-changes', 'note-citation', 'ruby-text', 'date', 'initials', 'sender-initials']);
/** `footer-decl` is the footer of slides. */
const PARAGRAPHS = new Set(['p', 'h', 'footer-decl']);
const MARGINS = new Set(['header', 'footer', 'header-left', 'footer-left', 'header-first', 'footer-first']);
/** Fields of headers and footers, whose values depend on the page or file. */
const FIELDS = new Set('page-number page-count sheet-name title file-name date time'.split(' '));
/** A footer such as "Page 1 of 9" is no content. */
const FIELD_LABEL_CHARS = 12;
const SPREADSHEET = 'spreadsheet';
/** Repeated cells with a value. Empty ones are only counted. */
const REPEATED_CELLS_LIMIT = 64;
const SPACES_LIMIT = 100;
const SHEETS_LIMIT_CHARS = 100_000_000;

/** @param region `margins` reads only headers and footers */
export async function readOdfText(archive: Archive, part: string, region?: 'margins'): Promise<OdfText> {
  const pieces: (Block | OdfObject)[] = [];
  /** A stack, because frames and notes have paragraphs inside a paragraph. */
  const open: Paragraph[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  let items: string[] = [];
  let listDepth = 0;
  let isItemStart = false;
  let skippedDepth = 0;
  let regionDepth = region ? 0 : 1;
  let tableDepth = 0;
  let sheet: ReturnType<typeof describeRows> | undefined;
  let hiddenSheets = 0;
  let rows: string[][] = [];
  let cells: Cell[] = [];
  let cell = { text: '', date: '', count: 1 };
  let column = 0;
  let isCell = false;
  let isSpreadsheet = false;
  let isTitleFrame = false;
  let isAnnotation = false;
  let isDescription = false;
  let isCreator = false;
  let description = '';
  let creator = '';
  let chars = 0;
  let pageNumber: number | undefined;
  let pageName = '';

  const push = (type: Block['type'], text: string, level?: number) => {
    if (text.trim() === '') return;
    chars += text.length;
    if (chars > SHEETS_LIMIT_CHARS) {
      throw new UnreadableFileError(
        `The file shows more than ${SHEETS_LIMIT_CHARS / 1e6} million characters. Split it into smaller files.`,
      );
    }
    pieces.push({ type, text, ...(level && { level }), ...(pageNumber && { pageNumber }) });
  };
  const markField = () => {
    const paragraph = open.at(-1);
    if (paragraph) paragraph.hasField = true;
  };
  const endList = () => {
    const text = items.join('\n');
    items = [];
    push('list', text);
  };
  const add = (text: string) => {
    const paragraph = open.at(-1);
    if (paragraph) paragraph.text += text;
  };
  const closeParagraph = () => {
    const paragraph = open.pop();
    const text = paragraph?.text.replace(/ ?\n ?/g, '\n').trim();
    if (!paragraph || !text) return;
    if (region && paragraph.hasField && text.length <= FIELD_LABEL_CHARS) return;
    if (isCell && !isAnnotation) cell.text = `${cell.text} ${text}`.trim();
    else if (isAnnotation) push('paragraph', creator ? `${creator}: ${text}` : text);
    else if (paragraph.isTitle) titlePage(text);
    else if (paragraph.level) {
      endList();
      push(paragraph.level === 1 ? 'title' : 'subtitle', text, paragraph.level);
    } else if (listDepth > 0) {
      items.push(`${'  '.repeat(Math.min(listDepth, 10) - 1)}${isItemStart ? '-' : ' '} ${text}`);
      isItemStart = false;
    } else push('paragraph', text);
  };
  /** The title of a slide precedes its other content. */
  const titlePage = (text: string) => {
    const title = pieces.findLast(piece => 'type' in piece && piece.type === 'title');
    if (!title || !('text' in title)) return push('paragraph', text);
    if (title.text === pageName) title.text = text;
    else title.text += ` ${text}`;
  };
  const openCell = (attributes: Record<string, string>) => {
    isCell = true;
    const count = Number(attribute(attributes, 'number-columns-repeated') ?? 1);
    const date = attribute(attributes, 'date-value') ?? '';
    cell = { text: '', date: date.replace(/T00:00:00(\.0+)?$/, '').replace('T', ' '), count: count > 0 ? count : 1 };
  };
  const closeCell = () => {
    isCell = false;
    const value = cell.date || cell.text.replace(/\s+/g, ' ');
    for (let copy = 0; value && copy < Math.min(cell.count, REPEATED_CELLS_LIMIT); copy++) {
      cells.push({ column: column + copy, value });
    }
    column += cell.count;
  };
  const openTable = (attributes: Record<string, string>) => {
    if (++tableDepth > 1) return;
    endList();
    rows = [];
    if (!isSpreadsheet) return;
    if (hiddenStyles.has(attribute(attributes, 'style-name') ?? '')) {
      hiddenSheets++;
      tableDepth--;
      skippedDepth++;
      return;
    }
    push('title', attribute(attributes, 'name') ?? '', 1);
    sheet = describeRows();
  };
  const closeRow = () => {
    if (tableDepth > 1) return;
    if (!sheet) rows.push(listed(cells));
    // Gaps of several empty rows are one. Repeated rows with the same values are one.
    else for (const block of sheet.row(cells)) push(block.type, block.text);
  };
  const closeTable = () => {
    if (--tableDepth > 0) return;
    for (const block of sheet?.end() ?? []) push(block.type, block.text);
    // The name of an empty sheet is no content.
    const last = pieces.at(-1);
    if (sheet && last && 'type' in last && last.type === 'title') pieces.pop();
    if (!sheet)
      push(
        'table',
        rows
          .filter(row => row.some(Boolean))
          .map(row => row.join(' | '))
          .join('\n'),
      );
    sheet = undefined;
  };
  const addObject = (object?: string) => {
    if (object) pieces.push({ object, ...(pageNumber && { pageNumber }) });
  };
  const openPage = () => {
    endList();
    pageNumber = (pageNumber ?? 0) + 1;
    pageName = `Slide ${pageNumber}`;
    push('title', pageName, 1);
  };

  await readXml(archive, part, {
    open(name, attributes) {
      if (skippedDepth > 0 || (SKIPPED.has(name) && regionDepth > 0)) return void skippedDepth++;
      if (name === 'style') style = attribute(attributes, 'name') ?? '';
      else if (name === 'table-properties' && attribute(attributes, 'display') === 'false') hiddenStyles.add(style);
      if (region && MARGINS.has(name)) regionDepth++;
      if (regionDepth === 0) return;
      if (PARAGRAPHS.has(name)) {
        const level = name === 'h' ? Number(attribute(attributes, 'outline-level') ?? 1) : undefined;
        open.push({ text: '', ...(level && level > 0 && { level }), ...(isTitleFrame && { isTitle: true }) });
      } else if (name === 's') add(' '.repeat(Math.min(Number(attribute(attributes, 'c') ?? 1) || 1, SPACES_LIMIT)));
      else if (region && FIELDS.has(name)) markField();
      else if (name === 'tab') add('\t');
      else if (name === 'line-break') add('\n');
      else if (name === 'list') listDepth++;
      else if (name === 'list-item') isItemStart = true;
      else if (name === SPREADSHEET) isSpreadsheet = true;
      else if (name === 'table') openTable(attributes);
      else if (name === 'table-row' && tableDepth === 1) {
        cells = [];
        column = 0;
      } else if ((name === 'table-cell' || name === 'covered-table-cell') && tableDepth === 1) openCell(attributes);
      else if (name === 'page') openPage();
      else if (name === 'frame') isTitleFrame = attribute(attributes, 'class') === 'title';
      else if (name === 'annotation') {
        isAnnotation = true;
        creator = '';
      } else if (name === 'creator') isCreator = true;
      else if (name === 'desc') {
        isDescription = true;
        description = '';
      } else if (name === 'object') addObject(attribute(attributes, 'href'));
    },
    close(name) {
      if (skippedDepth > 0) return void skippedDepth--;
      if (regionDepth > 0) close(name);
      if (region && MARGINS.has(name)) regionDepth--;
    },
    text(text) {
      if (skippedDepth > 0 || regionDepth === 0) return;
      if (isDescription) description += text;
      else if (isCreator) creator += text;
      else add(text.replace(/\s+/g, ' '));
    },
  });
  function close(name: string) {
    if (PARAGRAPHS.has(name)) closeParagraph();
    else if (name === 'list' && --listDepth === 0) endList();
    else if (name === 'table-row') closeRow();
    else if ((name === 'table-cell' || name === 'covered-table-cell') && tableDepth === 1) closeCell();
    else if (name === 'table') closeTable();
    else if (name === 'frame') isTitleFrame = false;
    else if (name === 'annotation') isAnnotation = false;
    else if (name === 'creator') isCreator = false;
    else if (name === 'desc') {
      isDescription = false;
      push('image', description);
    }
  }
  return { pieces, hiddenSheets };
}

/** Returns the values of a row with empty texts for empty cells before them. */
function listed(cells: Cell[]): string[] {
  const values: string[] = [];
  for (const { column, value } of cells) {
    while (values.length < Math.min(column, REPEATED_CELLS_LIMIT)) values.push('');
    values.push(value);
  }
  return values;
}
