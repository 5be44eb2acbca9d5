import { describe, expect, it } from 'vitest';
import { readLines } from '#shared/core/readLines.ts';

const linesOf = async (...chunks: string[]) => {
  async function* all() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of readLines(all())) lines.push(line);
  return lines;
};

describe('lines of a stream', () => {
  it('ends with a line feed, with or without a carriage return, in any chunk', async () => {
    expect(await linesOf('a\nb', 'c\r', '\n\nd')).toEqual(['a', 'bc', '', 'd']);
  });

  it('can contain every other separator, as JSON does within a string', async () => {
    const line = JSON.stringify({ text: 'a\u2028b\u2029c\u0085d\u000be\u000cf\ng' });

    expect(await linesOf(`${line}\n${line}\n`)).toEqual([line, line]);
  });
});
