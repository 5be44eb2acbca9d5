import { expect, it } from 'vitest';
import { unreadParts } from '#shared/ai/extraction/formats/unread.ts';
import { UnreadParts } from '#shared/ai/extraction/unreadParts.ts';

const collect = (...texts: string[]) => {
  const parts = new UnreadParts();
  for (const unread of texts) parts.add({ unread });
  return parts.texts();
};

it('contains each text once, in order', () => {
  expect(collect('Page 1.', 'Page 2.', 'Page 1.', ' ')).toEqual(['Page 1.', 'Page 2.']);
});

it('contains at most ten texts, and the number of the others', () => {
  const texts = collect(...Array.from({ length: 1_500 }, (_, index) => `Part ${index}.`));

  expect(texts).toHaveLength(10);
  expect(texts.slice(8)).toEqual(['Part 8.', '1,491 more parts were not read.']);
});

it('cuts long texts, and removes control and direction characters', () => {
  const [long, odd] = collect(`${'x'.repeat(199)}😀`, 'sheet\u202e\n\0 "a"');

  expect(long).toBe('x'.repeat(199));
  expect(odd).toBe('sheet "a"');
});

it('contains the sums of counted parts first', () => {
  const parts = new UnreadParts();
  parts.add({ unread: 'Page 1.' });
  parts.add(unreadParts('sheet', 0));
  parts.add(unreadParts('formula', 1_000));
  parts.add(unreadParts('formula'));

  expect(parts.texts()).toEqual(['Not read: 1,001 formulas that were saved without a result.', 'Page 1.']);
});
