import { BUCKET_SECONDS } from '#shared/storage/dynamodb/bots/reportCounters.ts';

/**
 * Estimates a quantile of durations from their histogram, in seconds: the durations of a bucket count as evenly
 * distributed in it. The last bucket has no upper bound, so its durations count as 24 hours.
 * @param buckets at least one of them is positive
 */
export function quantileOf(buckets: readonly number[], quantile: number): number {
  const rank = quantile * buckets.reduce((sum, each) => sum + each, 0);
  let below = 0;
  for (const [i, upper] of BUCKET_SECONDS.entries()) {
    const count = buckets[i] ?? 0;
    if (count > 0 && below + count >= rank) {
      const lower = BUCKET_SECONDS[i - 1] ?? 0;
      return Math.round(lower + (upper - lower) * ((rank - below) / count));
    }
    below += count;
  }
  return BUCKET_SECONDS.at(-1)!;
}
