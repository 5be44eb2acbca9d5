import type { Block } from '#shared/core/passage.ts';
import { type DirectedText, readingOrder } from './textDirection.ts';

export interface PlacedText {
  str: string;
  dir: string;
  /** Affine matrix. The middle two values are the size, the last two the position. */
  transform: number[];
  hasEOL: boolean;
}

/** In points from the lower left corner. */
export interface Line {
  text: string;
  x: number;
  y: number;
  size: number;
}

/** Font sizes of headings and titles relative to the body. */
const HEADING_RATIO = 1.15;
const TITLE_RATIO = 1.6;
const HEADING_LIMIT_CHARS = 200;
/** A larger relative difference in size starts a new paragraph. */
const SIZE_TOLERANCE = 0.1;
/** A wider gap starts a new paragraph, relative to the page's usual gap and to the font size. */
const GAP_RATIO = 1.35;
const GAP_SIZES = 2.2;
const BULLET = /^([•·▪‣◦●○■–-]|\(?\d{1,3}[.)])\s/;
const SENTENCE_END = /[.!?:…。！？]["'”’)\]]?$/;

export function linesOf(texts: readonly PlacedText[]): Line[] {
  const lines: (Omit<Line, 'text'> & { texts: DirectedText[] })[] = [];
  let line: (typeof lines)[number] | undefined;
  for (const { str, dir, transform, hasEOL } of texts) {
    const [, , skew = 0, scale = 0, x = 0, y = 0] = transform;
    if (str.trim() !== '') {
      line ??= { texts: [], x, y, size: Math.hypot(skew, scale) };
      line.texts.push({ text: str, direction: dir, x });
    } else if (line && str !== '') line.texts.push({ text: ' ', direction: dir, x });
    if (hasEOL && line) {
      lines.push(line);
      line = undefined;
    }
  }
  if (line) lines.push(line);
  return lines.map(({ texts: parts, ...place }) => ({ ...place, text: readingOrder(parts).trim() }));
}

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

/** Returns the first quartile of the gaps, which is the usual line spacing within a paragraph. */
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
  // Starts the next column, or has an indented first line.
  return isSentenceOver && (gap < 0 || line.x - previous.x > line.size * 0.8);
}

function blockOf(text: string, { size }: Line, bodySize: number): Block {
  const ratio = bodySize > 0 ? size / bodySize : 1;
  if (ratio >= HEADING_RATIO && text.length <= HEADING_LIMIT_CHARS) {
    return ratio >= TITLE_RATIO ? { type: 'title', text, level: 1 } : { type: 'subtitle', text, level: 2 };
  }
  return { type: BULLET.test(text) ? 'list' : 'paragraph', text };
}

function joinLines(texts: readonly string[]): string {
  let joined = '';
  for (const text of texts) {
    if (/\p{L}[-\u00ad]$/u.test(joined) && /^\p{Ll}/u.test(text)) joined = joined.slice(0, -1) + text;
    else joined += joined === '' ? text : ` ${text}`;
  }
  return joined;
}
