import { describe, expect, it } from 'vitest';
import { LOCAL_EMBEDDING_MODEL, MEANING_DIMENSIONS } from '#shared/ai/embedders/local/embeddingModel.ts';
import { joinSpelling, spellingOnly } from '#shared/ai/embedders/local/jointVector.ts';
import { dotProduct, normalise } from '#shared/ai/vectors.ts';

const meaning = (first: number) => normalise(Float32Array.from({ length: MEANING_DIMENSIONS }, (_, i) => first + i));

describe('a joint vector', () => {
  it('has length 1, and the dimensions of its model', () => {
    const joint = joinSpelling(meaning(0), 'a refund');

    expect(joint).toHaveLength(LOCAL_EMBEDDING_MODEL.dimensions);
    expect(dotProduct(joint, joint)).toBeCloseTo(1, 5);
  });

  it('is closer to a vector of the same meaning than to one of the same spelling', () => {
    const [a, b] = [meaning(0), meaning(-256)];
    const joint = joinSpelling(a, 'XR-500');

    const sameMeaning = dotProduct(joint, joinSpelling(a, 'router'));
    const sameSpelling = dotProduct(joint, joinSpelling(b, 'XR-500'));

    expect(sameMeaning).toBeGreaterThan(sameSpelling);
    expect(sameSpelling).toBeGreaterThan(dotProduct(joint, joinSpelling(b, 'router')));
  });

  it('has the cosine of the spellings if the model does not represent the other text', () => {
    const [number, other] = [spellingOnly('SKU 4432-AB'), spellingOnly('SKU 4433-AC')];

    expect(dotProduct(number, number)).toBeCloseTo(1, 5);
    expect(dotProduct(joinSpelling(meaning(0), 'SKU 4432-AB'), number)).toBeGreaterThan(
      dotProduct(joinSpelling(meaning(0), 'SKU 4432-AB'), other),
    );
  });
});
