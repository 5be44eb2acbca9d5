/**
 * Limits of Amazon S3 Vectors. The local store enforces them too, so that nothing works only locally.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-limitations.html
 */

const INDEX_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const QUERY_LIMIT = 100;
/** Each group is a constraint of the filter. */
const GROUPS_LIMIT = 100;
const DIMENSIONS_LIMIT = 4_096;

export function requireIndexName(index: string): void {
  if (!INDEX_NAME.test(index))
    throw new RangeError(`${index} is not a valid index name. Use 3 to 63 characters of a-z, 0-9, - and .`);
}

export function requireDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions || dimensions > DIMENSIONS_LIMIT) {
    throw new RangeError(`The vector has ${vector.length} dimensions, expected ${dimensions}.`);
  }
}

export function requireQueryLimits({ limit, groups = [] }: { limit: number; groups?: readonly string[] }): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > QUERY_LIMIT) {
    throw new RangeError(`limit must be from 1 to ${QUERY_LIMIT}, not ${limit}.`);
  }
  if (groups.length > GROUPS_LIMIT) throw new RangeError(`A query can name at most ${GROUPS_LIMIT} groups.`);
}
