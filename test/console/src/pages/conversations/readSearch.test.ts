/** The search field of conversations. */
import { expect, it } from 'vitest';
import { readSearch } from '#console/src/pages/conversations/readSearch.ts';

it.each([
  ['', {}],
  ['  ', {}],
  [' convo_Vc1iYqRgNu3G3JYQNcZXj1 ', { id: 'convo_Vc1iYqRgNu3G3JYQNcZXj1' }],
  ['user_Vc1iYhtu0C5n2VSplx', { participant: 'user_Vc1iYhtu0C5n2VSplx' }],
  ['order=4711', { tags: { order: '4711' } }],
  ['chat:owner=Ada Lovelace', { tags: { 'chat:owner': 'Ada Lovelace' } }],
  ['a=b=c', { tags: { a: 'b=c' } }],
  ['order=', { words: 'order=' }],
  ['=4711', { words: '=4711' }],
  ['is 1 = 1?', { words: 'is 1 = 1?' }],
  ['Minestrone', { words: 'minestrone' }],
])('parses %j', (text, expected) => {
  expect(readSearch(text)).toEqual(expected);
});
