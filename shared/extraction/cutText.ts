/** Cuts a text that is too long where it hurts least: between paragraphs, lines, sentences, words, at last characters. */

const SEGMENTERS = {
  sentence: new Intl.Segmenter(undefined, { granularity: 'sentence' }),
  word: new Intl.Segmenter(undefined, { granularity: 'word' }),
  grapheme: new Intl.Segmenter(undefined, { granularity: 'grapheme' }),
};

/**
 * The pieces of a text in order, none longer than `maximum`. Only white space is lost, and only where it is cut.
 * @param firstMaximum of the first piece, which may have to share its room
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
    // What begins a line may be the indentation of code.
    const isMidLine = at > 0 && text[at - 1] !== '\n';
    if (piece.trim() !== '') pieces.push(isMidLine ? piece.trimStart() : piece);
    at = end;
    limit = maximum;
  }
  return pieces;
}

/** How much of the text from a place on is cut off, at most `limit`. Looks no farther, or a long text would take its square. */
function cutOf(text: string, at: number, limit: number, nextLimit: number): number {
  const window = text.slice(at, at + limit);
  // One character more, or the end of the window would seem to be the end of a word.
  const beyond = text.slice(at, at + limit + 1);
  // A piece that is much too short is worse than a cut in a worse place.
  const isEnough = (length: number) => length > limit / 2;

  const paragraph = endOf(window, '\n\n');
  if (isEnough(paragraph)) return paragraph;
  const line = endOf(window, '\n');
  if (isEnough(line)) return line;
  const sentence = lastBoundary(SEGMENTERS.sentence, beyond, limit, isBetweenWords);
  if (isEnough(sentence)) return sentence;
  const space = endOfWord(beyond, limit);
  if (isEnough(space) || (space > 0 && isWordShort(text, at + space, nextLimit))) return space;
  const word = lastBoundary(SEGMENTERS.word, beyond, limit);
  if (isEnough(word)) return word;
  const grapheme = lastBoundary(SEGMENTERS.grapheme, beyond, limit);
  if (grapheme > 0) return grapheme;
  // One character with more marks than a piece can have: between its code points then.
  const isPairCut = limit > 1 && text.codePointAt(at + limit - 1)! > 0xffff;
  return isPairCut ? limit - 1 : limit;
}

function endOf(window: string, separator: string): number {
  const found = window.lastIndexOf(separator);
  return found === -1 ? 0 : found + separator.length;
}

/** Where the last word ends that is followed by white space; 0 for none. */
function endOfWord(beyond: string, limit: number): number {
  for (let at = limit; at > 0; at--) if (/\s/.test(beyond[at]!)) return beyond.slice(0, at).trim() === '' ? 0 : at;
  return 0;
}

/** Whether the word behind a place fits into the next piece, so that it need not be cut. */
function isWordShort(text: string, at: number, limit: number): boolean {
  const rest = text.slice(at, at + 2 * limit).trimStart();
  const length = rest.search(/\s/);
  return length === -1 ? rest.length <= limit : length <= limit;
}

/** Sentences of Chinese and Japanese end without white space; of other languages, `?` may stand in an address. */
const isBetweenWords = (before: string) => /[\s\u3000-\uffef]/.test(before);

/** The last place before or at `limit` where a segment begins; 0 for none. @param isPlace told what stands before it */
function lastBoundary(
  segmenter: Intl.Segmenter,
  text: string,
  limit: number,
  isPlace = (_before: string) => true,
): number {
  let last = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index > 0 && index <= limit && isPlace(text[index - 1]!)) last = index;
  }
  return last;
}
