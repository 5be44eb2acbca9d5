import { describe, expect, it } from 'vitest';
import { quantileOf } from '#shared/domain/botChat/reports/quantiles.ts';
import { BUCKET_SECONDS } from '#shared/storage/dynamodb/bots/reportCounters.ts';

const buckets = (counts: Record<number, number>) =>
  Array.from({ length: BUCKET_SECONDS.length + 1 }, (_, place) => counts[place] ?? 0);

describe('a quantile', () => {
  it('lies in the bucket of its rank', () => {
    expect(quantileOf(buckets({ 0: 1, 3: 1, 6: 1 }), 0.5)).toBe(210);
    expect(quantileOf(buckets({ 0: 1, 3: 1, 6: 1 }), 0.9)).toBe(3_060);
  });

  it('is interpolated in a single bucket', () => {
    expect(quantileOf(buckets({ 1: 4 }), 0.5)).toBe(45);
    expect(quantileOf(buckets({ 1: 1 }), 0.5)).toBe(45);
  });

  it('is 24 hours if it is in the last bucket', () => {
    expect(quantileOf(buckets({ 11: 3 }), 0.5)).toBe(86_400);
    expect(quantileOf(buckets({ 0: 1, 11: 9 }), 0.9)).toBe(86_400);
  });
});
