/** English stop words, including question words. */
const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing
  for from get had has have having he her here him his how i if in into is it its just like may me might more most
  much my no nor not of off on one or our out over she should so some such tell than that the their them then there
  these they this those to too under up us very was we were what when where which while who whom whose why will with
  would you your`.split(/\s+/),
);

export const isStopWord = (word: string) => STOP_WORDS.has(word);

/** Scripts without spaces between words, and Korean, which joins particles to words. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
/** Words with inner punctuation: `AB-1234`, `v1.2`, `don't`. */
const JOINED = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['._/-][\p{L}\p{M}\p{N}]+)*/gu;
const DIGITS_OR_LETTERS = /\p{N}+|[\p{L}\p{M}]+/gu;
const HAS_DIGIT = /\p{N}/u;

/** Returns lower-case words without accents. `AB-1234` yields `ab-1234`, `ab`, `1234`; unspaced scripts yield pairs. */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const [joined] of simplify(text).matchAll(JOINED)) {
    for (const [run] of joined.matchAll(UNSPACED_RUN)) {
      if (IS_UNSPACED.test(run)) words.push(...pairsOf(run));
      else addSpaced(run, words);
    }
  }
  return words;
}

// NFKC unifies full-width letters and ligatures. Accents are dropped because users omit them.
const simplify = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|[\ufe00-\ufe0f]|\u00ad|\u200b|\u200c|\u200d|\ufeff/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’ʼ]/g, "'")
    .replace(/(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu, '');

function addSpaced(run: string, words: string[]): void {
  if (HAS_DIGIT.test(run)) {
    const parts = run.match(DIGITS_OR_LETTERS)!.map(stem);
    words.push(...(parts.length > 1 ? [run.replace(/^['._/-]+|['._/-]+$/g, ''), ...parts] : parts));
    return;
  }
  for (const word of run.split(/[._/-]/)) {
    const plain = word.replace(/'s?$/, '').replace(/'/g, '');
    if (plain) words.push(isStopWord(plain) ? plain : stem(plain));
  }
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => characters[i]! + character);
}

const HAS_VOWEL = /[aeiouy]/;

/** First step of Porter's algorithm (1980): plurals, -ed, -ing, -y to -i. Later steps conflate unrelated words. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = word.replace(/(ss|i)es$/, '$1').replace(/([^su])s$/, '$1');
  const participle = /^(.*?)(eed|ed|ing)$/.exec(stemmed);
  if (participle) {
    const [, before, suffix] = participle as unknown as [string, string, string];
    if (suffix === 'eed') stemmed = HAS_VOWEL.test(before) ? `${before}ee` : stemmed;
    else if (HAS_VOWEL.test(before) && before.length > 2) stemmed = undouble(before);
  }
  // Dropping the final e unifies `hope`, `hoping` and `hoped`.
  return stemmed.length > 3 ? stemmed.replace(/y$/, 'i').replace(/e$/, '') : stemmed;
}

/** Undoes doubled consonants: `runn` becomes `run`. */
const undouble = (before: string) => (/([^aeiouylsz])\1$/.test(before) ? before.slice(0, -1) : before);
