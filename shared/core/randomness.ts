/** Judges whether a secret that a caller chose could have been guessed. */

export const LEAST_SECRET_LENGTH = 32;
/**
 * By this estimate 32 hexadecimal digits have about 107 bits (the least of a million had 73), a UUID 125 (87); a short
 * text written twice has up to 62.
 */
const LEAST_BITS = 64;

/**
 * Whether a text has at least 32 characters and looks random. Repetitions and runs such as `abc` or `2468` count
 * nothing, so a short word written several times is not enough. It cannot tell a sentence from randomness.
 */
export function looksRandom(text: string): boolean {
  return text.length >= LEAST_SECRET_LENGTH && bitsPerCharacter(text) * freshCharacters(text) >= LEAST_BITS;
}

/** Shannon's entropy of the characters. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}

/** The number of characters that neither repeat three of the text nor continue a run. */
function freshCharacters(text: string): number {
  const seen = new Set<string>();
  for (let i = 0; i + 2 < text.length; i++) {
    const [a, b, c] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)] as const;
    if (b - a !== c - b) seen.add(text.slice(i, i + 3));
  }
  return seen.size;
}
