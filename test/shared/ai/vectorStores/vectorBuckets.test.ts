/** Tests that an index keeps its bucket, because vectors in another bucket are not found. */
import { expect, it } from 'vitest';
import { bucketOf, VECTOR_BUCKETS } from '#shared/ai/vectorStores/vectorBuckets.ts';

const buckets = Array.from({ length: VECTOR_BUCKETS }, (_, i) => `bucket-${i}`);

/** Limit of S3 Vectors. */
const INDEXES_PER_BUCKET = 10_000;

it('assigns each index to the same bucket as earlier versions', () => {
  expect(VECTOR_BUCKETS).toBe(16);
  const names = ['rows-0', 'rows-1', 'rows-2', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff-0123456789ab'];

  expect(names.map(name => bucketOf(name, buckets))).toEqual(['bucket-3', 'bucket-8', 'bucket-15', 'bucket-5']);
});

it('supports 150,000 indexes', () => {
  const sizes = new Map<string, number>();
  for (let i = 0; i < 150_000; i++) {
    const bucket = bucketOf(`index-${i}`, buckets);
    sizes.set(bucket, (sizes.get(bucket) ?? 0) + 1);
  }

  expect(sizes.size).toBe(VECTOR_BUCKETS);
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(INDEXES_PER_BUCKET);
});

it('assigns every index to a single bucket', () => {
  expect(new Set(['a-1', 'a-2', 'a-3'].map(name => bucketOf(name, ['only'])))).toEqual(new Set(['only']));
});
