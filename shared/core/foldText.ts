/** Folds texts for searches: case, compatibility forms and diacritics are ignored. */

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i' },
};
const DIACRITICS = /[\u0300-\u036f]/g;
const ASCII = /^[\0-\x7f]*$/;

/** Folds each character alone, so that the result does not depend on its neighbours. */
const foldCharacter = (character: string): string => {
  const plain = character.normalize('NFKD').toLowerCase().normalize('NFKD').replace(DIACRITICS, '');
  return LETTERS[plain] ?? plain;
};

export const foldText = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join('');

export interface Match {
  start: number;
  end: number;
}

/** Returns the place of the first match in the original text. @param wanted folded */
export function findFolded(text: string, wanted: string): Match | undefined {
  if (wanted === '') return undefined;
  const folded = foldText(text);
  const at = folded.indexOf(wanted);
  if (at === -1) return undefined;
  if (folded.length === text.length && ASCII.test(text)) return { start: at, end: at + wanted.length };
  return placeOf(text, at, at + wanted.length);
}

/** Translates positions of the folded text, which may be longer or shorter. */
function placeOf(text: string, from: number, to: number): Match {
  let foldedAt = 0;
  let at = 0;
  let start = 0;
  for (const character of text) {
    if (foldedAt <= from) start = at;
    const { length } = foldCharacter(character);
    // Combining marks after the match belong to its last letter.
    if (foldedAt >= to && length > 0) return { start, end: at };
    foldedAt += length;
    at += character.length;
  }
  return { start, end: text.length };
}
