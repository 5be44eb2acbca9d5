/** Distributes vector indexes over vector buckets. A bucket can contain 10,000 indexes. */
import { createHash } from 'node:crypto';

/**
 * The number of vector buckets of a deployment. They have room for about 150,000 indexes. Each bot with indexed files
 * has one, and each searchable table. Not a setting: after a change, searches do not find existing indexes until
 * everything is indexed again.
 */
export const VECTOR_BUCKETS = 16;

/**
 * Returns the bucket of an index. Depends only on the index name and on the number and order of the buckets. Hashes the
 * name instead of the bot id, so that a bot with thousands of searchable tables does not fill one bucket.
 * @param buckets at least one
 */
export function bucketOf(index: string, buckets: readonly string[]): string {
  const hash = createHash('sha256').update(index).digest().readUInt32BE();
  return buckets[hash % buckets.length]!;
}
