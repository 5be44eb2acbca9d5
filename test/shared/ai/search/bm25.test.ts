import { describe, expect, it } from 'vitest';
import { countTerms, keywordScore, weighTerms } from '#shared/ai/search/bm25.ts';
import { decodePostings, encodePostings } from '#shared/ai/search/postingsCodec.ts';
import fc from '#test/support/fastCheck.ts';
import { AWKWARD_TEXTS } from './awkwardTexts.ts';

const terms = (text: string) => [...countTerms(text).keys()];

describe('the terms of a text', () => {
  it('ignores case, inflection and accents, and omits stop words', () => {
    expect(Object.fromEntries(countTerms('The Cafés of the city: a café, and CITIES.'))).toEqual({ caf: 2, citi: 2 });
  });

  it.each([
    ['runs running run', 1],
    ['hope hoping hoped hopes', 1],
    ['study studies studied studying', 1],
    ['class classes', 1],
    ['box boxes', 1],
    ['agree agreed', 1],
    ["dog's dogs dog", 1],
    ['sing sting string thing', 4],
    ['bus gas news', 3],
  ])('has distinct stems: "%s" has %i', (text, count) => {
    expect(terms(text)).toHaveLength(count);
  });

  it('indexes words with digits whole and in parts', () => {
    expect(terms('order AB-1234')).toEqual(['order', 'ab-1234', 'ab', '1234']);
    expect(terms('RX7')).toEqual(['rx7', 'rx', '7']);
    expect(terms('1,250,000 or 3.14')).toEqual(['1250000', '3.14', '3', '14']);
  });

  it('splits scripts without spaces into pairs of characters', () => {
    expect(terms('東京都の 猫 and ネコ')).toEqual(['東京', '京都', '都の', '猫', 'ネコ']);
  });

  it('unifies compatibility characters', () => {
    expect(terms('ＦＵＬＬ ﬁnd')).toEqual(terms('full find'));
  });

  it('returns no terms for a text without words', () => {
    for (const name of ['an empty text', 'only spaces', 'only stop words', 'only marks', 'emoji']) {
      expect(terms(AWKWARD_TEXTS[name]!)).toEqual([]);
    }
  });

  it('fits into a key for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), text => {
        for (const [term, count] of countTerms(`${text}${'é🎉x'.repeat(40)}`)) {
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(40);
          expect(term).not.toContain('#');
          expect(term.isWellFormed()).toBe(true);
          expect(count).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('the score of a passage', () => {
  const frequencies = fc.dictionary(fc.string({ minLength: 1 }), fc.nat(1_000), { minKeys: 1, maxKeys: 16 });

  it('weighs rare terms more, with weights that sum to 1', () => {
    fc.assert(
      fc.property(frequencies, fc.nat(2_000), (counts, passages) => {
        const weights = weighTerms(new Map(Object.entries(counts)), passages);

        expect([...weights.values()].reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
        for (const [a, countOfA] of Object.entries(counts)) {
          for (const [b, countOfB] of Object.entries(counts)) {
            if (countOfA < countOfB) expect(weights.get(a)).toBeGreaterThan(weights.get(b)!);
          }
        }
      }),
    );
  });

  it('is from 0 to 1', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 12 }), fc.lorem({ maxCount: 60 }), (query, passage) => {
        const score = keywordScore(weighTerms(new Map(terms(query).map(term => [term, 1])), 100), passage);

        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThan(1);
      }),
    );
  });

  it('rises with more words, rarer words, repeated words and shorter passages', () => {
    const weights = weighTerms(
      new Map([
        ['common', 90],
        ['zebra', 2],
      ]),
      100,
    );
    const score = (text: string) => keywordScore(weights, text);

    expect(score('zebra common')).toBeGreaterThan(score('zebra'));
    expect(score('zebra')).toBeGreaterThan(score('common'));
    expect(score('zebra zebra')).toBeGreaterThan(score('zebra'));
    expect(score('zebra')).toBeGreaterThan(score('zebra among many other words'));
    expect(score('nothing of it')).toBe(0);
  });

  it('is 0 for a query without terms', () => {
    expect(keywordScore(weighTerms(new Map(), 100), 'some passage')).toBe(0);
  });
});

describe('postings', () => {
  it('survives encoding and decoding', () => {
    const posting = fc.tuple(fc.nat(1_000_000), fc.nat(5_000), fc.nat(5_000));
    fc.assert(
      fc.property(fc.array(posting), postings => {
        const sorted = postings.toSorted((a, b) => a[0] - b[0]);

        expect(decodePostings(encodePostings(sorted))).toEqual(sorted);
      }),
    );
  });
});
