/** Plain text: empty lines separate paragraphs. */
import type { Block } from '#shared/core/passage.ts';

export function* readText(text: string): Generator<Block> {
  const end = /(?:\r\n|\r(?!\n)|\n)[^\S\r\n]*(?:\r\n?|\n)\s*/g;
  let at = 0;
  for (const gap of text.matchAll(end)) {
    yield { type: 'paragraph', text: text.slice(at, gap.index) };
    at = gap.index + gap[0].length;
  }
  yield { type: 'paragraph', text: text.slice(at) };
}
