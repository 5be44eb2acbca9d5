/** From letters at places to lines, and from lines to paragraphs and headings. Pure: what a PDF means is guessed here. */
import type { Block } from '#shared/passage.ts';

/** What pdf.js says of some letters, as far as it is used. */
export interface PlacedText {
  str: string;
  /** Of which the last two are the place, and the middle two the size. */
  transform: number[];
  hasEOL: boolean;
}

/** In points, from the lower left corner. */
export interface Line {
  text: string;
  x: number;
  y: number;
  size: number;
}

/** So much larger than the body is a heading, and of the first rank. */
const HEADING_RATIO = 1.15;
const TITLE_RATIO = 1.6;
const HEADING_LIMIT_CHARS = 200;
/** Letters whose size differs by more are of different paragraphs. */
const SIZE_TOLERANCE = 0.1;
/** A gap so much wider than between the lines of a page is one between paragraphs; so is one of so many letters. */
const GAP_RATIO = 1.35;
const GAP_SIZES = 2.2;
const BULLET = /^([•·▪‣◦●○■–-]|\(?\d{1,3}[.)])\s/;
const SENTENCE_END = /[.!?:…。！？]["'”’)\]]?$/;

export function linesOf(texts: readonly PlacedText[]): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const { str, transform, hasEOL } of texts) {
    const [, , skew = 0, scale = 0, x = 0, y = 0] = transform;
    if (str.trim() !== '') {
      line ??= { text: '', x, y, size: Math.hypot(skew, scale) };
      line.text += str;
    } else if (line && str !== '') line.text += ' ';
    if (hasEOL && line) {
      lines.push(line);
      line = undefined;
    }
  }
  if (line) lines.push(line);
  return lines.map(each => ({ ...each, text: each.text.trim() }));
}

/** The size that most letters have. */
export function bodySizeOf(lines: readonly Line[]): number {
  const charsOfSize = new Map<number, number>();
  for (const { text, size } of lines) {
    const rounded = Math.round(size * 2) / 2;
    charsOfSize.set(rounded, (charsOfSize.get(rounded) ?? 0) + text.length);
  }
  let best = 0;
  for (const [size, chars] of charsOfSize) if (chars > (charsOfSize.get(best) ?? 0)) best = size;
  return best;
}

/** The lines of one page, joined to what they are part of. */
export function paragraphsOf(lines: readonly Line[], bodySize: number): Block[] {
  const usualGap = usualGapOf(lines);
  const blocks: Block[] = [];
  let texts: string[] = [];
  let first: Line | undefined;
  let previous: Line | undefined;
  const end = () => {
    if (first) blocks.push(blockOf(joinLines(texts), first, bodySize));
    texts = [];
    first = undefined;
  };
  for (const line of lines) {
    if (previous && isNewParagraph(previous, line, usualGap)) end();
    first ??= line;
    texts.push(line.text);
    previous = line;
  }
  end();
  return blocks;
}

/** The gap that a quarter of the lines does not exceed: between those of one paragraph. */
function usualGapOf(lines: readonly Line[]): number {
  const gaps = lines.slice(1).map((line, index) => lines[index]!.y - line.y);
  const down = gaps.filter(gap => gap > 0).sort((a, b) => a - b);
  return down[Math.floor(down.length / 4)] ?? 0;
}

function isNewParagraph(previous: Line, line: Line, usualGap: number): boolean {
  if (BULLET.test(line.text)) return true;
  if (Math.abs(line.size - previous.size) > previous.size * SIZE_TOLERANCE) return true;
  const gap = previous.y - line.y;
  if (gap > usualGap * GAP_RATIO || gap > line.size * GAP_SIZES) return true;
  const isSentenceOver = SENTENCE_END.test(previous.text);
  // The next column, or an indented first line.
  return isSentenceOver && (gap < 0 || line.x - previous.x > line.size * 0.8);
}

function blockOf(text: string, { size }: Line, bodySize: number): Block {
  const ratio = bodySize > 0 ? size / bodySize : 1;
  if (ratio >= HEADING_RATIO && text.length <= HEADING_LIMIT_CHARS) {
    return ratio >= TITLE_RATIO ? { type: 'title', text, level: 1 } : { type: 'subtitle', text, level: 2 };
  }
  return { type: BULLET.test(text) ? 'list' : 'paragraph', text };
}

/** A word that was divided at the end of a line is one again. */
function joinLines(texts: readonly string[]): string {
  let joined = '';
  for (const text of texts) {
    if (/\p{L}[-\u00ad]$/u.test(joined) && /^\p{Ll}/u.test(text)) joined = joined.slice(0, -1) + text;
    else joined += joined === '' ? text : ` ${text}`;
  }
  return joined;
}
