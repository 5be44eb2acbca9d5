import { foldText } from './foldText.ts';

/** Limit of a term in characters. A sort key has at most 1,024 bytes. */
const TERM_CHARACTERS = 60;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Splits a text into folded words without surrounding punctuation. */
export const searchWords = (text: string): string[] =>
  foldText(text)
    .split(/[\s,;()<>"“”„«»]+/u)
    .map(word => word.replace(/^[^\p{L}\p{M}\p{N}]+/u, '').replace(/[:!?'’]+$/u, ''))
    .filter(word => word !== '')
    .map(word => Array.from(word).slice(0, TERM_CHARACTERS).join(''));

export const isEmail = (text: string): boolean => EMAIL.test(text.trim());
