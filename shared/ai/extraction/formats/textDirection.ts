/** Orders the texts of a line as they are read. PDF writers usually write right-to-left words from the left. */

export interface DirectedText {
  text: string;
  /** As pdf.js reports it. Texts without letters are `ltr`. */
  direction: string;
  x: number;
}

const RTL_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LTR_LETTER = /(?![\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}])\p{L}/gu;
const HAS_CONTENT = /[\p{L}\p{N}]/u;
/** Shapes of Arabic letters and Hebrew ligatures, which nobody types. */
const PRESENTATION_FORMS = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g;

const isRtl = ({ direction }: DirectedText) => direction === 'rtl';
const countOf = (texts: readonly DirectedText[], letter: RegExp) =>
  texts.reduce((sum, { text }) => sum + (text.match(letter)?.length ?? 0), 0);

export function readingOrder(texts: readonly DirectedText[]): string {
  if (!texts.some(isRtl)) return texts.map(({ text }) => text).join('');
  const fromLeft = texts.toSorted((a, b) => a.x - b.x);
  const isRtlLine = countOf(texts, RTL_LETTER) >= countOf(texts, LTR_LETTER);
  const ordered = isRtlLine ? reverseRuns(fromLeft.toReversed(), each => !isRtl(each)) : reverseRuns(fromLeft, isRtl);
  const line = ordered.map(({ text }) => text).join('');
  return line.replace(PRESENTATION_FORMS, forms => forms.normalize('NFKC'));
}

/** Reverses the runs of texts of one direction. Spaces and marks between two of them belong to their run. */
function reverseRuns(texts: readonly DirectedText[], isOfRun: (text: DirectedText) => boolean): DirectedText[] {
  const isMember = (each: DirectedText) => isOfRun(each) && HAS_CONTENT.test(each.text);
  const ordered: DirectedText[] = [];
  for (let at = 0; at < texts.length; at++) {
    if (!isMember(texts[at]!)) {
      ordered.push(texts[at]!);
      continue;
    }
    let end = at;
    for (let next = at + 1; next < texts.length; next++) {
      if (isMember(texts[next]!)) end = next;
      else if (HAS_CONTENT.test(texts[next]!.text)) break;
    }
    ordered.push(...texts.slice(at, end + 1).toReversed());
    at = end;
  }
  return ordered;
}
