import { describe, expect, it } from 'vitest';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { dotProduct } from '#shared/ai/vectors.ts';
import { AWKWARD_TEXTS } from '#test/shared/ai/search/awkwardTexts.ts';
import fc from '#test/support/fastCheck.ts';

const embed = async (text: string) => (await hashing.embed([text], 'passage', 'bot'))[0]!;
const similarity = async (a: string, b: string) => dotProduct(await embed(a), await embed(b));

describe('the hashing embedder', () => {
  it('returns deterministic vectors of length 1 with symmetric similarity', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (a, b) => {
        const [one, again, other] = await hashing.embed([a, a, b], 'query', 'bot');

        expect(one).toHaveLength(hashing.dimensions);
        expect(dotProduct(one!, one!)).toBeCloseTo(1, 5);
        expect(again).toEqual(one);
        expect(dotProduct(one!, other!)).toBe(dotProduct(other!, one!));
      }),
    );
  });

  it.each(Object.entries(AWKWARD_TEXTS))('accepts %s', async (_, text) => {
    expect(dotProduct(await embed(text), await embed(text))).toBeCloseTo(1, 5);
  });

  it('places inflections and misspellings close together, and other words far apart', async () => {
    expect(await similarity('invoice', 'Invoices')).toBeGreaterThan(0.9);
    expect(await similarity('organisation', 'organization')).toBeGreaterThan(0.2);
    expect(Math.abs(await similarity('invoice', 'elephant'))).toBeLessThan(0.2);
  });

  it('compares spelling, not meaning', async () => {
    expect(Math.abs(await similarity('car', 'automobile'))).toBeLessThan(0.2);
  });

  it('ignores stop words', async () => {
    const question = 'how do I reset my password?';
    const answer = 'To reset a password, open the settings.';

    expect(await similarity(question, answer)).toBeGreaterThan(
      (await similarity(question, 'How do I do what I do?')) + 0.3,
    );
  });

  it('keeps its vectors stable, because indexes store them under its id', async () => {
    const vector = await embed('The quick brown fox');
    const sum = vector.reduce((total, value, i) => total + value * (i + 1), 0);

    expect(hashing.id).toBe('hashing1-384');
    expect(sum).toBeCloseTo(-303.0211, 3);
  });
});
