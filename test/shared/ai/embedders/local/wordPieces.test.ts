import { describe, expect, it } from 'vitest';
import { readVocabulary } from '#shared/ai/embedders/local/readWeights.ts';
import { openWordPieces, UNKNOWN } from '#shared/ai/embedders/local/wordPieces.ts';
import fc from '#test/support/fastCheck.ts';
import { ENGLISH, openReference } from './reference.ts';

const vocabulary = readVocabulary();
const split = openWordPieces(vocabulary);
const piecesOf = (text: string) => split(text).ids.map(id => vocabulary[id]![0]);

describe('word pieces', () => {
  it('matches the reference implementation', async () => {
    const { tokenizer } = await openReference();

    for (const text of ENGLISH) expect(split(text).ids, text).toEqual(tokenizer.encode(text));
  });

  it('returns the most probable sequence', () => {
    const toy = openWordPieces([
      ...Array.from({ length: 6 }, (_, i) => [`<${i}>`, 0] as const),
      ['\u2581', -1],
      ['a', -3],
      ['b', -3],
      ['ab', -7],
      ['aba', -8],
    ]);

    expect(toy('ab').ids).toEqual([6, 7, 8]);
    expect(toy('aba').ids).toEqual([6, 10]);
  });

  it('covers the text, regardless of its whitespace', () => {
    expect(piecesOf(' \n Refunds\t are\u00a0\n\nissued ').join('')).toBe('▁Refunds▁are▁issued');
    expect(split('a\nb')).toEqual(split('a b'));
    expect(split(' \n').ids).toEqual([]);
    expect(split('').ids).toEqual([]);
  });

  it('counts unknown characters, and merges adjacent ones into one piece', () => {
    expect(split('退款 ok')).toMatchObject({ characters: 4, unknownCharacters: 2 });
    expect(split('退款').ids.filter(id => id === UNKNOWN)).toHaveLength(1);
  });

  it('covers any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const { ids, characters, unknownCharacters } = split(text);

        expect(unknownCharacters).toBeLessThanOrEqual(characters);
        expect(ids.every(id => id >= 0 && id < vocabulary.length)).toBe(true);
        expect(ids.length > 0).toBe(characters > 0);
      }),
    );
  });
});
