/** Stub of Amazon S3 Vectors, which stores and compares vectors, and rejects invalid requests. */
import { awsError, type Stub, type StubAnswer, type StubRequest, startStub } from './stubServer.ts';

interface Index {
  dimension: number;
  vectors: Map<string, { float32: number[]; metadata: { group: string } }>;
}

const invalid = (message: string) => awsError(400, 'ValidationException', message);
const missing = () => awsError(404, 'NotFoundException', 'The specified index could not be found');
const done: StubAnswer = { status: 200, body: {} };

const cosine = (a: number[], b: number[]) => {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** Overrides of the service's limits. */
interface Limits {
  indexesPerBucket?: number;
  resultsPerPage?: number;
}

export interface S3VectorsStub extends Stub {
  /** Indexes by bucket. */
  buckets: Map<string, Map<string, Index>>;
}

/** @param names existing vector buckets */
export async function startS3Vectors(
  names: readonly string[],
  { indexesPerBucket = 10_000, resultsPerPage = 100 }: Limits = {},
): Promise<S3VectorsStub> {
  const buckets = new Map(names.map(name => [name, new Map<string, Index>()]));
  const stub = await startStub(request => answer(request));

  function answer({ path, body }: StubRequest): StubAnswer {
    const indexes = buckets.get(body.vectorBucketName);
    if (!indexes) return awsError(404, 'NotFoundException', 'No such vector bucket');
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(body.indexName)) return invalid('Invalid index name');
    if (path === '/CreateIndex') return createIndex(indexes, body);
    if (path === '/DeleteIndex') return indexes.delete(body.indexName) ? done : missing();
    const index = indexes.get(body.indexName);
    if (!index) return missing();
    if (path === '/PutVectors') return putVectors(index, body);
    if (path === '/DeleteVectors') return deleteVectors(index, body);
    if (path === '/GetVectors') return getVectors(index, body);
    if (path === '/QueryVectors') return queryVectors(index, body, resultsPerPage);
    return awsError(404, 'UnknownOperationException');
  }

  function createIndex(indexes: Map<string, Index>, body: StubRequest['body']): StubAnswer {
    const { vectorBucketName, indexName, dimension, dataType, distanceMetric } = body;
    if (dataType !== 'float32' || distanceMetric !== 'cosine') return invalid('Unsupported index');
    if (!(dimension >= 1 && dimension <= 4096)) return invalid('dimension must be from 1 to 4096');
    if (indexes.has(indexName)) return awsError(409, 'ConflictException', 'An index with this name exists');
    if (indexes.size >= indexesPerBucket) return awsError(402, 'ServiceQuotaExceededException', 'Too many indexes');
    indexes.set(indexName, { dimension, vectors: new Map() });
    return {
      status: 200,
      body: { indexArn: `arn:aws:s3vectors:us-east-1:0:bucket/${vectorBucketName}/index/${indexName}` },
    };
  }

  return { ...stub, buckets };
}

function putVectors({ dimension, vectors }: Index, body: StubRequest['body']): StubAnswer {
  if (!(body.vectors.length >= 1 && body.vectors.length <= 500)) return invalid('1 to 500 vectors');
  for (const { key, data, metadata } of body.vectors) {
    if (data.float32.length !== dimension) return invalid('Wrong dimension');
    if (data.float32.every((value: number) => value === 0)) return invalid('Zero vectors are not allowed');
    if (key.length < 1 || key.length > 1024) return invalid('Wrong key');
    if (Buffer.byteLength(JSON.stringify(metadata)) > 2048) return invalid('Too much filterable metadata');
  }
  for (const { key, data, metadata } of body.vectors) {
    vectors.set(key, { float32: data.float32.map(Math.fround), metadata });
  }
  return done;
}

function deleteVectors({ vectors }: Index, { keys }: StubRequest['body']): StubAnswer {
  if (!(keys.length >= 1 && keys.length <= 500)) return invalid('1 to 500 keys');
  for (const key of keys) vectors.delete(key);
  return done;
}

function getVectors({ vectors }: Index, { keys, returnData }: StubRequest['body']): StubAnswer {
  if (!(keys.length >= 1 && keys.length <= 100)) return invalid('1 to 100 keys');
  const found = keys.flatMap((key: string) => {
    const vector = vectors.get(key);
    return vector ? [{ key, ...(returnData ? { data: { float32: vector.float32 } } : {}) }] : [];
  });
  return { status: 200, body: { vectors: found } };
}

function queryVectors({ dimension, vectors }: Index, body: StubRequest['body'], resultsPerPage: number): StubAnswer {
  const { topK, queryVector, filter, returnDistance, nextToken } = body;
  if (!(topK >= 1 && topK <= 10_000)) return invalid('topK must be from 1 to 10000');
  if (queryVector.float32.length !== dimension) return invalid('Wrong dimension');
  const groups: string[] | undefined = filter?.group.$in;
  if (groups && !(groups.length >= 1 && groups.length <= 100)) return invalid('1 to 100 filter constraints');
  const found = [...vectors]
    .filter(([, { metadata }]) => !groups || groups.includes(metadata.group))
    .map(([key, { float32 }]) => ({ key, distance: 1 - cosine(queryVector.float32, float32) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, topK)
    .map(({ key, distance }) => (returnDistance ? { key, distance } : { key }));
  const start = Number(nextToken ?? 0);
  const end = start + resultsPerPage;
  return {
    status: 200,
    body: {
      vectors: found.slice(start, end),
      distanceMetric: 'cosine',
      ...(end < found.length ? { nextToken: String(end) } : {}),
    },
  };
}
