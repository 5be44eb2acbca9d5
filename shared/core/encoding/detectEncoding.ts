/**
 * Guesses the encoding of bytes that are not UTF-8, with the letter statistics of jschardet. Loaded on demand: it takes
 * 1.1 MB and 100 ms.
 */
import { detectAll } from 'jschardet';

/** Encodings that files have today, by the names of jschardet, with the decoder of each. */
const DECODERS: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  'euc-jp': 'euc-jp',
  gb18030: 'gb18030',
  big5: 'big5',
  cp949: 'euc-kr',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'iso-8859-8': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  cp1258: 'windows-1258',
  'iso-8859-2': 'iso-8859-2',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  cp874: 'windows-874',
};
/** Names that select the encodings above, some of which have another name in results. */
const CONSIDERED = [...Object.keys(DECODERS).filter(name => !/^(?:euc-jp|big5|cp1258)$/.test(name))].concat(
  'euc-jis-2004',
  'big5hkscs',
  'windows-1258',
);

/** Short texts of the Windows encodings have similar scores, and most files are Western European. */
const WESTERN = 'windows-1252';
const WESTERN_BONUS = 2;
/** Letters of Icelandic only, which texts in Turkish have if they are read as Western European. */
const ICELANDIC = /[þðýÞÐÝ]/;
const ICELANDIC_BONUS = 0.9;
const MINIMUM_SCORE = 0.005;
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'].map(
  name => new RegExp(`\\p{sc=${name}}`, 'u'),
);
/** Of the words with letters beyond ASCII. */
const ODD_WORDS = 0.2;

/** @returns the name of a decoder; undefined if no encoding gives plausible words */
export function detectEncoding(sample: Uint8Array): string | undefined {
  let best: { decoder: string; score: number } | undefined;
  for (const { encoding, confidence } of detectAll(sample, { detectEncodings: CONSIDERED, minimumThreshold: 0.001 })) {
    const decoder = DECODERS[encoding?.toLowerCase() ?? ''];
    if (!decoder) continue;
    const text = new TextDecoder(decoder).decode(sample, { stream: true });
    if (!isPlausible(text)) continue;
    const bonus = decoder !== WESTERN ? 1 : ICELANDIC.test(text) ? ICELANDIC_BONUS : WESTERN_BONUS;
    const score = confidence * bonus;
    if (score >= MINIMUM_SCORE && score > (best?.score ?? 0)) best = { decoder, score };
  }
  return best?.decoder;
}

/** Words between spaces and the punctuation of Western texts. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~\u2010-\u2026\u00ab\u00bb]+/;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** A symbol or a capital amid a word, such as in "mo¿liwy". */
const SYMBOL_WITHIN = /\p{L}[\u00a1-\u00bf\u00d7\u00f7\u2000-\u2bff]+\p{L}/u;
/** Symbols that texts have without a letter beside them. */
const LONE_SYMBOL = /\p{L}[¢¤¦¨¬¯´¸¹]|[¢¤¦¨¬¯´¸¹]\p{L}/u;
const CAPITAL_WITHIN = /\p{Ll}\p{M}*\p{Lu}/u;
const NO_TEXT = /[\x80-\x9f\ufffd\ue000-\uf8ff]/;

/** Text that is decoded from the wrong encoding has words of several scripts, or with symbols or capitals within. */
function isPlausible(text: string): boolean {
  if (NO_TEXT.test(text)) return false;
  const words = text.split(BETWEEN_WORDS).filter(word => BEYOND_ASCII.test(word));
  const odd = words.filter(word => {
    const scripts = SCRIPTS.filter(script => script.test(word)).length;
    return scripts > 1 || SYMBOL_WITHIN.test(word) || LONE_SYMBOL.test(word) || CAPITAL_WITHIN.test(word);
  });
  return odd.length <= words.length * ODD_WORDS;
}
