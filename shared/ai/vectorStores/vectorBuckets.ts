/** The distribution of vector indexes over vector buckets: S3 Vectors allows 10,000 indexes in a bucket. */
import { createHash } from 'node:crypto';

/**
 * The number of a deployment's vector buckets. Room for about 150,000 indexes: one per bot with indexed files, one per
 * searchable table. A constant, not a setting: with another number, searches would look for existing indexes in the wrong
 * buckets until everything is indexed again.
 */
export const VECTOR_BUCKETS = 16;

/**
 * The bucket of an index. Depends on the index's name and on the number and order of the buckets only. Hashes the name
 * instead of the bot's id, so that a bot with thousands of searchable tables does not fill its bucket.
 * @param buckets at least one
 */
export function bucketOf(index: string, buckets: readonly string[]): string {
  const hash = createHash('sha256').update(index).digest().readUInt32BE();
  return buckets[hash % buckets.length]!;
}
