export const MIN_SECRET_LENGTH = 32;
/** 32 hexadecimal digits have about 107 bits by this estimate, a UUID 125, a short text written twice up to 62. */
const MIN_BITS = 64;

/** Returns true for a long text that looks random. Runs and repetitions do not count. Sentences also pass. */
export function looksRandom(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH && bitsPerCharacter(text) * freshCharacters(text) >= MIN_BITS;
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}

function freshCharacters(text: string): number {
  const seen = new Set<string>();
  for (let i = 0; i + 2 < text.length; i++) {
    const [a, b, c] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)] as const;
    if (b - a !== c - b) seen.add(text.slice(i, i + 3));
  }
  return seen.size;
}
