/**
 * Amazon S3 Vectors. The hash of an index's name selects its bucket. The first `put` creates the index. Groups are
 * filterable metadata.
 */

import {
  ConflictException,
  CreateIndexCommand,
  DeleteIndexCommand,
  DeleteVectorsCommand,
  GetVectorsCommand,
  NotFoundException,
  PutVectorsCommand,
  paginateQueryVectors,
  S3VectorsClient,
  S3VectorsServiceException,
  ServiceQuotaExceededException,
} from '@aws-sdk/client-s3vectors';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import type { Match, StoredVector, VectorStore } from '#shared/ai/vectorStore.ts';
import { asCosine, dotProduct, normalise } from '#shared/ai/vectors.ts';
import { clock } from '#shared/core/clock.ts';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { bucketOf } from './vectorBuckets.ts';
import { requireDimensions, requireIndexName, requireQueryLimits } from './vectorLimits.ts';

const PUT_LIMIT = 500;
const REMOVE_LIMIT = 500;
const GET_LIMIT = 100;
/** A request has at most 20 MiB. A number in it takes up to 24 bytes. */
const PUT_NUMBERS_LIMIT = 600_000;
const CONCURRENT_GETS = 4;
/** A new index becomes available after a delay. */
const PUT_ATTEMPTS = 6;

export interface S3VectorsOptions {
  /** Names of the vector buckets, always in the same order (see {@link bucketOf}). */
  buckets: readonly string[];
  attempts?: number;
}

export function s3Vectors({ buckets, attempts = 5 }: S3VectorsOptions): VectorStore {
  const client = new S3VectorsClient({ maxAttempts: attempts, retryMode: 'standard' });
  const inIndex = (indexName: string) => ({ vectorBucketName: bucketOf(indexName, buckets), indexName });

  async function createIndex(index: string, dimension: number): Promise<boolean> {
    try {
      await client.send(
        new CreateIndexCommand({ ...inIndex(index), dataType: 'float32', distanceMetric: 'cosine', dimension }),
      );
    } catch (error) {
      if (error instanceof ServiceQuotaExceededException) {
        log.error('The vector bucket is full. The index was not created and supports keyword search only.', {
          ...inIndex(index),
          error: errorFields(error),
        });
        return false;
      }
      // A concurrent call created it.
      if (!(error instanceof ConflictException)) throw error;
    }
    return true;
  }

  async function putBatch(index: string, vectors: readonly StoredVector[]): Promise<boolean> {
    const command = new PutVectorsCommand({
      ...inIndex(index),
      vectors: vectors.map(({ key, vector, group }) => ({
        key,
        data: { float32: [...vector] },
        metadata: { group },
      })),
    });
    for (let attempt = 1; ; attempt++) {
      try {
        await client.send(command);
        return true;
      } catch (error) {
        if (!(error instanceof NotFoundException) || attempt === PUT_ATTEMPTS) throw error;
        if (attempt > 1) await clock.sleep(100 * 2 ** attempt);
        else if (!(await createIndex(index, vectors[0]!.vector.length))) return false;
      }
    }
  }

  return {
    async put(index, vectors) {
      requireIndexName(index);
      // The service rejects repeated keys. The last vector of a key wins.
      const unique = [...new Map(vectors.map(vector => [vector.key, vector])).values()];
      const dimensions = unique[0]?.vector.length ?? 0;
      for (const { vector } of unique) requireDimensions(vector, dimensions);
      const batch = Math.min(PUT_LIMIT, Math.max(1, Math.floor(PUT_NUMBERS_LIMIT / dimensions)));
      // Sequential: an index accepts 2,500 vectors per second.
      for (const part of chunksOf(unique, batch)) {
        if (!(await withThrottling(() => putBatch(index, part)))) return false;
      }
      return true;
    },
    async remove(index, keys) {
      requireIndexName(index);
      for (const part of chunksOf([...new Set(keys)], REMOVE_LIMIT)) {
        await ifIndexExists(() => client.send(new DeleteVectorsCommand({ ...inIndex(index), keys: part })));
      }
    },
    async removeIndex(index) {
      requireIndexName(index);
      await ifIndexExists(() => client.send(new DeleteIndexCommand(inIndex(index))));
    },
    async query(index, vector, { limit, groups }) {
      requireIndexName(index);
      requireQueryLimits({ limit, ...(groups ? { groups } : {}) });
      if (groups?.length === 0) return [];
      const query = {
        ...inIndex(index),
        topK: limit,
        queryVector: { float32: [...vector] },
        filter: groups && { group: { $in: [...groups] } },
        returnDistance: true,
      };
      const matches = await ifIndexExists(async () => {
        const found: Match[] = [];
        // Pages may have fewer than 100 results.
        for await (const { vectors = [] } of paginateQueryVectors({ client }, query)) {
          found.push(...vectors.map(({ key, distance }) => ({ key: key!, similarity: asCosine(1 - distance!) })));
        }
        return found;
      });
      return matches ?? [];
    },
    async similarities(index, vector, keys) {
      requireIndexName(index);
      const unit = normalise(vector);
      const answers = await mapConcurrently(chunksOf([...new Set(keys)], GET_LIMIT), CONCURRENT_GETS, part =>
        ifIndexExists(() => client.send(new GetVectorsCommand({ ...inIndex(index), keys: part, returnData: true }))),
      );
      return new Map(
        answers
          .flatMap(answer => answer?.vectors ?? [])
          .map(({ key, data }) => [key!, asCosine(dotProduct(unit, normalise(data!.float32!)))]),
      );
    },
  };
}

/** @returns undefined for an unknown index. @throws ThrottledError */
async function ifIndexExists<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withThrottling(call);
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}

/** @throws ThrottledError after the SDK's retries */
async function withThrottling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const status = error instanceof S3VectorsServiceException ? error.$metadata.httpStatusCode : undefined;
    throw status === 429 || status === 503 ? new ThrottledError('S3 Vectors', error) : error;
  }
}
