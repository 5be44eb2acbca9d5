/** RTF: paragraphs, headings by outline level, lists and tables, with notes, headers and footers. */

import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { codePageOfCharset, decoderOf } from './rtfEncodings.ts';
import { rtfTokens } from './rtfTokens.ts';
import { type Unread, unreadParts } from './unread.ts';

/** Groups whose content is no text. */
const SKIPPED = new Set(
  'colortbl info pict objdata objclass objname fldinst listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl bkmkstart bkmkend atnid atnauthor atnref atntime atndate listtext pntext pntxta pntxtb nonshppict panose falt sp sn sv mmathPr ftnsep ftnsepc aftnsep aftnsepc template passwordhash'.split(
    ' ',
  ),
);
/** Optional groups (`\\*`) that contain text. */
const OPTIONAL_TEXT = new Set(['shptxt', 'shpinst', 'annotation', 'footnote', 'footer', 'header', 'do', 'dptxbxtext']);
/** Text beside the main text: blocks of its own. */
const ASIDE = new Set(
  'header headerl headerr headerf footer footerl footerr footerf footnote annotation shptxt dptxbxtext'.split(' '),
);
const CHARACTERS: Record<string, string> = {
  tab: '\t',
  line: '\n',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  endash: '–',
  emdash: '—',
  enspace: ' ',
  emspace: ' ',
  '~': '\u00a0',
  _: '-',
  '\\': '\\',
  '{': '{',
  '}': '}',
};
const DEPTH_LIMIT = 2_000;
const BODY_TEXT = 9;

interface Group {
  isSkipped: boolean;
  /** Set in the font table and the style sheet. */
  table?: 'fonts' | 'styles';
  isHidden: boolean;
  /** Characters after `\\u` that repeat it for older programs. */
  fallbackChars: number;
  font: number;
  /** Text beside the main text, with the groups within it. */
  aside?: Paragraph;
  isAsideStart: boolean;
}

interface Paragraph {
  text: string;
  level: number;
  isItem: boolean;
  isInTable: boolean;
}

const newParagraph = (): Paragraph => ({ text: '', level: BODY_TEXT, isItem: false, isInTable: false });

export function* readRtf(bytes: Uint8Array): Generator<Block | Unread> {
  const groups: Group[] = [{ isSkipped: false, isHidden: false, fallbackChars: 1, font: -1, isAsideStart: false }];
  const charsets = new Map<number, number>();
  const styleLevels = new Map<number, number>();
  const main = newParagraph();
  let codePage = 1252;
  let pendingBytes: number[] = [];
  let toSkip = 0;
  let isOptional = false;
  let styleNumber = 0;
  let defaultFont = -1;
  let items: string[] = [];
  let rows: string[][] = [];
  let cells: string[] = [];
  let objects = 0;
  const asides: Block[] = [];

  const group = () => groups.at(-1)!;
  const paragraph = () => group().aside ?? main;
  const add = (text: string) => {
    const { isSkipped, isHidden, table } = group();
    if (!isSkipped && !isHidden && !table) paragraph().text += text;
  };
  const decodePending = () => {
    if (pendingBytes.length === 0) return;
    const { font } = group();
    const charset = charsets.get(font === -1 ? defaultFont : font);
    add(decoderOf(charset ?? codePage).decode(Uint8Array.from(pendingBytes)));
    pendingBytes = [];
  };
  const endList = (): Block[] => {
    const blocks: Block[] = items.length > 0 ? [{ type: 'list', text: items.join('\n') }] : [];
    items = [];
    return blocks;
  };
  const endTable = (): Block[] => {
    const text = rows.map(row => row.join(' | ')).join('\n');
    rows = [];
    // Items before a table are complete.
    return text.replaceAll('|', '').trim() === '' ? [] : [...endList(), { type: 'table', text }];
  };
  /** Ends a paragraph. Its style lasts until it is reset. */
  const endParagraph = (): Block[] => {
    const current = paragraph();
    const text = current.text.trim();
    current.text = '';
    if (current !== main) {
      if (text) asides.push({ type: 'paragraph', text });
      return [];
    }
    if (current.isInTable) {
      if (text) cells[Math.max(0, cells.length - 1)] = `${cells.at(-1) ?? ''} ${text}`.trim();
      return [];
    }
    const before = endTable();
    if (!text) return before;
    if (current.level < BODY_TEXT) {
      const type = current.level === 0 ? 'title' : 'subtitle';
      return [...before, ...endList(), { type, text, level: current.level + 1 }, ...asides.splice(0)];
    }
    if (current.isItem) {
      items.push(`- ${text.replace(/^[•·o]\t/, '')}`);
      return before;
    }
    return [...before, ...endList(), { type: 'paragraph', text }, ...asides.splice(0)];
  };
  const endCell = () => {
    const text = main.text.trim().replace(/\s+/g, ' ');
    main.text = '';
    cells[Math.max(0, cells.length - 1)] = `${cells.at(-1) ?? ''} ${text}`.trim();
    cells.push('');
  };
  const endRow = () => {
    if (cells.length > 0) rows.push(cells.slice(0, -1));
    cells = [];
  };

  function* word(name: string, value: number | undefined): Generator<Block> {
    const current = group();
    if (isOptional && !OPTIONAL_TEXT.has(name)) current.isSkipped = true;
    isOptional = false;
    if (name === 'f') current.font = value ?? -1;
    if (name === 'u') {
      add(String.fromCharCode((value ?? 0) & 0xffff));
      toSkip = current.fallbackChars;
    } else if (name === 'uc') current.fallbackChars = Math.min(Math.max(value ?? 1, 0), 10);
    else if (name === '*') isOptional = true;
    else if (name === 'fonttbl') current.table = 'fonts';
    else if (name === 'stylesheet') current.table = 'styles';
    else if (SKIPPED.has(name)) current.isSkipped = true;
    else if (name === 'fcharset' && current.table === 'fonts') {
      const page = codePageOfCharset(value ?? 0);
      if (page) charsets.set(current.font, page);
    } else if (current.table === 'styles') {
      if (name === 's') styleNumber = value ?? 0;
      else if (name === 'outlinelevel') styleLevels.set(styleNumber, value ?? BODY_TEXT);
    } else if (name === 'ansicpg') codePage = value ?? codePage;
    else if (name === 'mac') codePage = 10_000;
    else if (name === 'deff') defaultFont = value ?? -1;
    else if (name === 'v') current.isHidden = value !== 0;
    else if (name === 'object') objects++;
    else if (ASIDE.has(name)) Object.assign(current, { aside: newParagraph(), isAsideStart: true });
    else if (Object.hasOwn(CHARACTERS, name)) add(CHARACTERS[name]!);
    else if (!current.isSkipped) yield* layout(name, value);
  }
  function* layout(name: string, value: number | undefined): Generator<Block> {
    const current = paragraph();
    if (name === 'par' || name === 'sect' || name === 'page') yield* endParagraph();
    else if (name === 'pard') Object.assign(current, { level: BODY_TEXT, isItem: false, isInTable: false });
    else if (name === 's') current.level = styleLevels.get(value ?? 0) ?? current.level;
    else if (name === 'outlinelevel') current.level = value ?? BODY_TEXT;
    else if (name === 'ls' || name === 'pnlvlblt' || name === 'pnlvlbody') current.isItem = value !== 0;
    else if (name === 'intbl') current.isInTable = true;
    else if (name === 'cell' || name === 'nestcell') endCell();
    else if (name === 'row' || name === 'nestrow') endRow();
    else if (name === 'plain') group().isHidden = false;
  }

  for (const token of rtfTokens(bytes)) {
    if (token.kind === 'byte') {
      if (toSkip > 0) toSkip--;
      else if (!group().isSkipped) pendingBytes.push(token.byte);
      continue;
    }
    decodePending();
    if (token.kind === 'text') {
      add(token.text.slice(toSkip));
      toSkip = Math.max(0, toSkip - token.text.length);
    } else if (token.kind === 'open') {
      if (groups.length > DEPTH_LIMIT) {
        throw new UnreadableFileError(`The file has groups nested more than ${DEPTH_LIMIT} deep.`);
      }
      groups.push({ ...group(), isAsideStart: false });
      toSkip = 0;
    } else if (token.kind === 'close') {
      toSkip = 0;
      if (group().isAsideStart) yield* endParagraph();
      if (groups.length > 1) groups.pop();
    } else if (token.kind === 'word') {
      // The fallback of a character may be a word.
      if (toSkip > 0 && Object.hasOwn(CHARACTERS, token.name)) toSkip--;
      else yield* word(token.name, token.value);
    }
  }
  decodePending();
  if (cells.some(Boolean)) endRow();
  main.isInTable = false;
  yield* endParagraph();
  yield* endTable();
  yield* endList();
  yield* asides;
  yield unreadParts('object', objects);
}
