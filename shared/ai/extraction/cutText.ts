/** Cuts long texts at the best boundary: paragraph, line, sentence, word or character, in this order. */

const SEGMENTERS = {
  sentence: new Intl.Segmenter(undefined, { granularity: 'sentence' }),
  word: new Intl.Segmenter(undefined, { granularity: 'word' }),
  grapheme: new Intl.Segmenter(undefined, { granularity: 'grapheme' }),
};

/**
 * @param firstMaximum maximum length of the first piece
 * @returns the pieces in order, none longer than `maximum`; only white space at the cuts is lost
 */
export function cutText(text: string, maximum: number, firstMaximum = maximum): string[] {
  const pieces: string[] = [];
  let at = 0;
  let limit = firstMaximum;
  while (at < text.length) {
    const end = text.length - at <= limit ? text.length : at + cutOf(text, at, limit, maximum);
    const piece = text
      .slice(at, end)
      .replace(/^\s*\n/, '')
      .trimEnd();
    // White space at the start of a line may be the indentation of code.
    const isMidLine = at > 0 && text[at - 1] !== '\n';
    if (piece.trim() !== '') pieces.push(isMidLine ? piece.trimStart() : piece);
    at = end;
    limit = maximum;
  }
  return pieces;
}

/** Returns the length of the next piece. Reads no farther than `limit`, which would be quadratic for a long text. */
function cutOf(text: string, at: number, limit: number, nextLimit: number): number {
  const window = text.slice(at, at + limit);
  // The extra character shows whether the window ends at the end of a word.
  const beyond = text.slice(at, at + limit + 1);
  // Prefers a weaker boundary over a very short piece.
  const isEnough = (length: number) => length > limit / 2;

  const paragraph = endOf(window, '\n\n');
  if (isEnough(paragraph)) return paragraph;
  const line = endOf(window, '\n');
  if (isEnough(line)) return line;
  const sentence = lastBoundary(SEGMENTERS.sentence, beyond, limit, isSentenceBreak);
  if (isEnough(sentence)) return sentence;
  const space = endOfWord(beyond, limit);
  if (isEnough(space) || (space > 0 && isWordShort(text, at + space, nextLimit))) return space;
  const word = lastBoundary(SEGMENTERS.word, beyond, limit);
  if (isEnough(word)) return word;
  const grapheme = lastBoundary(SEGMENTERS.grapheme, beyond, limit);
  if (grapheme > 0) return grapheme;
  // Cuts a grapheme that is longer than a piece between code points.
  const isPairCut = limit > 1 && text.codePointAt(at + limit - 1)! > 0xffff;
  return isPairCut ? limit - 1 : limit;
}

function endOf(window: string, separator: string): number {
  const found = window.lastIndexOf(separator);
  return found === -1 ? 0 : found + separator.length;
}

function endOfWord(beyond: string, limit: number): number {
  for (let at = limit; at > 0; at--) if (/\s/.test(beyond[at]!)) return beyond.slice(0, at).trim() === '' ? 0 : at;
  return 0;
}

function isWordShort(text: string, at: number, limit: number): boolean {
  const rest = text.slice(at, at + 2 * limit).trimStart();
  const length = rest.search(/\s/);
  return length === -1 ? rest.length <= limit : length <= limit;
}

/** Sentences end before white space, except in Chinese and Japanese. A `?` may be part of a URL. */
const isSentenceBreak = (before: string) => /[\s\u3000-\uffef]/.test(before);

/**
 * Returns the last segment boundary up to `limit`; 0 for none.
 * @param isAllowed accepts a boundary by the preceding character
 */
function lastBoundary(
  segmenter: Intl.Segmenter,
  text: string,
  limit: number,
  isAllowed = (_before: string) => true,
): number {
  let last = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index > 0 && index <= limit && isAllowed(text[index - 1]!)) last = index;
  }
  return last;
}
