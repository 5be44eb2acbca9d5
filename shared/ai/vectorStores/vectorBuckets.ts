import { createHash } from 'node:crypto';

/**
 * Number of vector buckets of a deployment, with room for about 150,000 indexes. Each bot with indexed files and each
 * searchable table has one. Not a setting: after a change, existing indexes are not found until everything is
 * reindexed.
 */
export const VECTOR_BUCKETS = 16;

/**
 * Returns the bucket of an index. Hashes the name instead of the bot's id, so that a bot with thousands of searchable
 * tables does not fill one bucket.
 * @param buckets at least one
 */
export function bucketOf(index: string, buckets: readonly string[]): string {
  const hash = createHash('sha256').update(index).digest().readUInt32BE();
  return buckets[hash % buckets.length]!;
}
