/** Saved replies in the composer. */
import { expect, it } from 'vitest';
import { matching, slashBefore } from '#console/src/pages/inbox/useSavedReplies.ts';

it.each([
  ['/', 1, { start: 0, query: '' }],
  ['Hello /gr', 9, { start: 6, query: 'gr' }],
  ['Hello\n/gr and more', 9, { start: 6, query: 'gr' }],
])('is offered after a slash that starts a word: %j', (text, caret, found) => {
  expect(slashBefore(text, caret)).toEqual(found);
});

it.each([
  ['https://example.com', 19],
  ['either/or', 9],
  ['/gr done', 8],
  ['//', 2],
])('is not offered within a word: %j', (text, caret) => {
  expect(slashBefore(text, caret)).toBeUndefined();
});

it('matches names and texts, those that begin with the query first', () => {
  const reply = (name: string, text: string) => ({
    id: name,
    name,
    text,
    scope: 'bot' as const,
    createdAt: '',
    updatedAt: '',
  });
  const replies = [reply('parting', 'Bye'), reply('art', 'A picture'), reply('late', 'Your article is late')];

  expect(matching(replies, 'ART').map(({ name }) => name)).toEqual(['art', 'parting', 'late']);
  expect(matching(replies, 'no such')).toEqual([]);
});
