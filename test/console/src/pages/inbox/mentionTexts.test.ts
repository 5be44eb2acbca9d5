/** Mentions of members in the text of a note. */
import { describe, expect, it } from 'vitest';
import { atBefore, matchingMembers, mentionedIn, piecesOf } from '#console/src/pages/inbox/mentionTexts.ts';

const TEAM = [
  { id: 'ann', name: 'Ann' },
  { id: 'anna', name: 'Anna Berg' },
  { id: 'jose', name: 'José' },
];

describe('mentions in a note', () => {
  it.each([
    ['@Ann, please look', ['ann']],
    ['Ask @Anna Berg or @José.', ['anna', 'jose']],
    ['@Anna', []],
    ['mail@Ann', []],
    ['@Ann @Ann', ['ann']],
    ['Ann', []],
  ])('of %j are %j', (text, ids) => {
    expect(mentionedIn(text, TEAM)).toEqual(ids);
    expect(
      piecesOf(text, TEAM)
        .map(piece => piece.text)
        .join(''),
    ).toBe(text);
  });
});

it('offers members after an @ that starts a word', () => {
  expect(atBefore('Hi @An', 6)).toEqual({ start: 3, query: 'An' });
  expect(atBefore('Hi @Anna Be', 11)).toEqual({ start: 3, query: 'Anna Be' });
  expect(atBefore('a@b', 3)).toBeUndefined();
  expect(matchingMembers(TEAM, 'an', 5).map(({ id }) => id)).toEqual(['ann', 'anna']);
});
