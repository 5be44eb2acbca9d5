/** The passage's number in its file, the term's occurrences in it, and the occurrences of all terms. */
export type Posting = readonly [number: number, count: number, length: number];

export function encodePostings(postings: readonly Posting[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const [number, count, length] of postings) {
    pushVarint(bytes, number - before);
    pushVarint(bytes, count);
    pushVarint(bytes, length);
    before = number;
  }
  return Uint8Array.from(bytes);
}

export function decodePostings(bytes: Uint8Array): Posting[] {
  const postings: Posting[] = [];
  let at = 0;
  let number = 0;
  const readVarint = () => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++]!;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    number += readVarint();
    postings.push([number, readVarint(), readVarint()]);
  }
  return postings;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}
