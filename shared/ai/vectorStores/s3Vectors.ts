/** Amazon S3 Vectors: the first `put` creates an index; groups are filterable metadata. */

import {
  ConflictException,
  CreateIndexCommand,
  DeleteIndexCommand,
  DeleteVectorsCommand,
  GetVectorsCommand,
  NotFoundException,
  PutVectorsCommand,
  QueryVectorsCommand,
  S3VectorsClient,
  S3VectorsServiceException,
} from '@aws-sdk/client-s3vectors';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import type { Match, StoredVector, VectorStore } from '#shared/ai/vectorStore.ts';
import { asCosine, dotProduct, normalise } from '#shared/ai/vectors.ts';
import { clock } from '#shared/clock.ts';
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import { requireDimensions, requireIndexName, requireQueryLimits } from './limits.ts';

const PUT_LIMIT = 500;
const REMOVE_LIMIT = 500;
const GET_LIMIT = 100;
/** A request has at most 20 MiB, a number in it up to 24 bytes. */
const PUT_NUMBERS_LIMIT = 600_000;
const GETS_AT_ONCE = 4;
/** A new index becomes available only after a moment. */
const PUT_ATTEMPTS = 6;

export interface S3VectorsOptions {
  vectorBucketName: string;
  attempts?: number;
}

export function s3Vectors({ vectorBucketName, attempts = 5 }: S3VectorsOptions): VectorStore {
  const client = new S3VectorsClient({ maxAttempts: attempts, retryMode: 'standard' });
  const inIndex = (indexName: string) => ({ vectorBucketName, indexName });

  async function createIndex(index: string, dimension: number): Promise<void> {
    try {
      await client.send(
        new CreateIndexCommand({ ...inIndex(index), dataType: 'float32', distanceMetric: 'cosine', dimension }),
      );
    } catch (error) {
      // A concurrent call created it.
      if (!(error instanceof ConflictException)) throw error;
    }
  }

  async function putBatch(index: string, vectors: readonly StoredVector[]): Promise<void> {
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
        return;
      } catch (error) {
        if (!(error instanceof NotFoundException) || attempt === PUT_ATTEMPTS) throw error;
        if (attempt === 1) await createIndex(index, vectors[0]!.vector.length);
        else await clock.sleep(100 * 2 ** attempt);
      }
    }
  }

  return {
    async put(index, vectors) {
      requireIndexName(index);
      // A call must not repeat a key; the last vector of a key wins.
      const unique = [...new Map(vectors.map(vector => [vector.key, vector])).values()];
      const dimensions = unique[0]?.vector.length ?? 0;
      for (const { vector } of unique) requireDimensions(vector, dimensions);
      const batch = Math.min(PUT_LIMIT, Math.max(1, Math.floor(PUT_NUMBERS_LIMIT / dimensions)));
      // Sequential: an index accepts 2,500 vectors per second.
      for (const part of chunksOf(unique, batch)) await withThrottling(() => putBatch(index, part));
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
      const answer = await ifIndexExists(() =>
        client.send(
          new QueryVectorsCommand({
            ...inIndex(index),
            topK: limit,
            queryVector: { float32: [...vector] },
            filter: groups && { group: { $in: [...groups] } },
            returnDistance: true,
          }),
        ),
      );
      return (answer?.vectors ?? []).map(
        ({ key, distance }): Match => ({ key: key!, similarity: asCosine(1 - distance!) }),
      );
    },
    async similarities(index, vector, keys) {
      requireIndexName(index);
      const unit = normalise(vector);
      const answers = await mapConcurrently(chunksOf([...new Set(keys)], GET_LIMIT), GETS_AT_ONCE, part =>
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

/** @throws ThrottledError when the SDK's retries were exhausted */
async function withThrottling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const status = error instanceof S3VectorsServiceException ? error.$metadata.httpStatusCode : undefined;
    throw status === 429 || status === 503 ? new ThrottledError('S3 Vectors', error) : error;
  }
}
