import { describe, expect, it } from 'vitest';
import { fuseScores, VECTOR_SHARE } from '#shared/ai/search/scoreFusion.ts';
import fc from '#test/support/fastCheck.ts';

const similarity = fc.double({ min: -1, max: 1, noNaN: true });
const part = fc.double({ min: 0, max: 1, noNaN: true });

describe('the fused score', () => {
  it('is from 0 to 1 and rises with either score', () => {
    fc.assert(
      fc.property(similarity, similarity, part, part, part, (s, otherS, k, otherK, share) => {
        const score = fuseScores({ similarity: Math.min(s, otherS), keywordScore: Math.min(k, otherK) }, share);
        const better = fuseScores({ similarity: Math.max(s, otherS), keywordScore: Math.max(k, otherK) }, share);

        expect(score).toBeGreaterThanOrEqual(0);
        expect(better).toBeLessThanOrEqual(1);
        expect(better).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  it('counts a missing keyword score and a negative similarity as 0', () => {
    expect(fuseScores({ similarity: 0.5 }, 0.4)).toBeCloseTo(0.2);
    expect(fuseScores({ similarity: -1, keywordScore: 0 }, 0.4)).toBe(0);
  });

  it('equals the keyword score without a vector', () => {
    expect(fuseScores({ keywordScore: 0.5 }, 0.4)).toBe(0.5);
    expect(fuseScores({ similarity: 0, keywordScore: 0.5 }, 0.4)).toBeCloseTo(0.3);
  });

  it('weighs a lexical vector less than the keywords, and a semantic one more', () => {
    expect(VECTOR_SHARE.lexical).toBeLessThan(0.5);
    expect(VECTOR_SHARE.semantic).toBeGreaterThan(0.5);
  });
});
