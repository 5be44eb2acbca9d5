/** Replaces the local store by vector buckets of S3 Vectors for a file of tests. */
import { afterAll, afterEach, vi } from 'vitest';
import { VECTOR_VARIABLES } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { bucketOf } from '#shared/ai/vectorStores/vectorBuckets.ts';
import { type S3VectorsStub, startS3Vectors } from '#test/shared/ai/s3VectorsStub.ts';

const BUCKETS = 4;
let replacements = 0;

/**
 * Returns `replaceBuckets`, which replaces the platform's vector buckets by empty ones with given limits until the end
 * of the test.
 */
export function useVectorBuckets() {
  const services: S3VectorsStub[] = [];
  afterEach(() => vi.unstubAllEnvs());
  // Stops after the tests, because jobs of the platform may still use them.
  afterAll(() => Promise.all(services.map(service => service.stop())));

  return async function replaceBuckets(limits: Parameters<typeof startS3Vectors>[1] = {}) {
    // A store is opened once per set of names.
    const replacement = replacements++;
    const names = Array.from({ length: BUCKETS }, (_, i) => `vectors-${replacement}-${i}`);
    const service = await startS3Vectors(names, limits);
    services.push(service);
    vi.stubEnv('AWS_ENDPOINT_URL_S3VECTORS', service.endpoint);
    vi.stubEnv(VECTOR_VARIABLES.vectors, `s3:${names.join(',')}`);
    /** Returns the keys of an index; undefined if it does not exist in its bucket. */
    const keysOf = (index: string) => {
      const found = service.buckets.get(bucketOf(index, names))!.get(index);
      return found && [...found.vectors.keys()];
    };
    return { keysOf };
  };
}
