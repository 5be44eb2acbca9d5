/** Runs the contract of vector stores against each, and tests the specifics of each. */
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import type { StoredVector, VectorStore } from '#shared/ai/vectorStore.ts';
import { exact } from '#shared/ai/vectorStores/exact.ts';
import { s3Vectors } from '#shared/ai/vectorStores/s3Vectors.ts';
import { bucketOf } from '#shared/ai/vectorStores/vectorBuckets.ts';
import { asCosine, dotProduct, normalise } from '#shared/ai/vectors.ts';
import fc from '#test/support/fastCheck.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { type S3VectorsStub, startS3Vectors } from './s3VectorsStub.ts';
import { ANY_CREDENTIALS, awsError } from './stubServer.ts';

const BUCKETS = ['parley-vectors-0', 'parley-vectors-1', 'parley-vectors-2'];
let service: S3VectorsStub;
let directory: string;

beforeAll(async () => {
  service = await startS3Vectors(BUCKETS);
  directory = await mkdtemp(join(tmpdir(), 'parley-vectors-'));
  Object.assign(process.env, ANY_CREDENTIALS, { AWS_ENDPOINT_URL_S3VECTORS: service.endpoint });
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

afterEach(() => vi.restoreAllMocks());

let indexes = 0;
const newIndex = () => `index-${++indexes}`;
const stored = (key: string, values: number[], group = 'g'): StoredVector => ({
  key,
  vector: Float32Array.from(values),
  group,
});
const of = (...values: number[]) => Float32Array.from(values);

const STORES: Record<string, () => VectorStore> = {
  'exact, in memory': () => exact(),
  'exact, in a folder': () => exact(directory),
  s3Vectors: () => s3Vectors({ buckets: BUCKETS }),
};

describe.each(Object.entries(STORES))('the vector store %s', (_, open) => {
  let store: VectorStore;
  beforeAll(() => {
    store = open();
  });

  it('returns the nearest vectors first, with the cosine similarity', async () => {
    const index = newIndex();
    await store.put(index, [stored('right', [1, 0]), stored('up', [0, 3]), stored('left', [-2, 0])]);

    const matches = await store.query(index, of(2, 0.1), { limit: 10 });

    expect(matches.map(({ key }) => key)).toEqual(['right', 'up', 'left']);
    expect(matches[0]!.similarity).toBeCloseTo(2 / Math.hypot(2, 0.1), 5);
    expect(matches[2]!.similarity).toBeCloseTo(-2 / Math.hypot(2, 0.1), 5);
  });

  it('returns nothing from an unknown index, and can remove it', async () => {
    const index = newIndex();

    expect(await store.query(index, of(1, 0), { limit: 5 })).toEqual([]);
    expect(await store.similarities(index, of(1, 0), ['a'])).toEqual(new Map());
    await store.remove(index, ['a']);
    await store.removeIndex(index);
  });

  it('applies the limit and the groups', async () => {
    const index = newIndex();
    await store.put(index, [
      stored('a', [1, 0], 'first'),
      stored('b', [0.9, 0.1], 'second'),
      stored('c', [0.8, 0.2], 'third'),
    ]);
    const keysOf = async (options: { limit: number; groups?: string[] }) =>
      (await store.query(index, of(1, 0), options)).map(({ key }) => key);

    expect(await keysOf({ limit: 2 })).toEqual(['a', 'b']);
    expect(await keysOf({ limit: 5, groups: ['second', 'third', 'none'] })).toEqual(['b', 'c']);
    expect(await keysOf({ limit: 5, groups: [] })).toEqual([]);
  });

  it('replaces a vector and its group under the same key', async () => {
    const index = newIndex();
    await store.put(index, [stored('a', [1, 0], 'old'), stored('b', [0, 1], 'old')]);
    await store.put(index, [stored('a', [-1, 0], 'passing'), stored('a', [0, 1], 'new')]);

    expect(await store.query(index, of(0, 1), { limit: 5, groups: ['new'] })).toEqual([
      { key: 'a', similarity: expect.closeTo(1, 5) },
    ]);
    expect(await store.query(index, of(0, 1), { limit: 5 })).toHaveLength(2);
  });

  it('removes vectors and ignores unknown keys', async () => {
    const index = newIndex();
    await store.put(index, [stored('a', [1, 0]), stored('b', [0, 1]), stored('c', [1, 1])]);

    await store.remove(index, ['a', 'a', 'nothing']);

    const left = await store.query(index, of(1, 0), { limit: 5 });
    expect(left.map(({ key }) => key)).toEqual(['c', 'b']);
  });

  it('removes an index, whose name can be reused with other dimensions', async () => {
    const index = newIndex();
    await store.put(index, [stored('a', [1, 0])]);
    await store.removeIndex(index);

    expect(await store.query(index, of(1, 0), { limit: 5 })).toEqual([]);
    await store.put(index, [stored('b', [0, 0, 1])]);
    expect((await store.query(index, of(0, 0, 1), { limit: 5 })).map(({ key }) => key)).toEqual(['b']);
  });

  it('returns the similarities of given keys', async () => {
    const index = newIndex();
    await store.put(index, [stored('a', [1, 0]), stored('b', [1, 1]), stored('c', [0, 1])]);

    const similarities = await store.similarities(index, of(5, 0), ['b', 'c', 'nothing', 'b']);

    expect([...similarities.keys()].sort()).toEqual(['b', 'c']);
    expect(similarities.get('b')).toBeCloseTo(Math.SQRT1_2, 5);
    expect(similarities.get('c')).toBeCloseTo(0, 5);
  });

  it('accepts more vectors than fit in one request, and none', async () => {
    const index = newIndex();
    const many = Array.from({ length: 1_201 }, (_, i) => stored(`key-${i}`, [Math.cos(i), Math.sin(i)], `g${i % 3}`));

    await store.put(index, many);
    await store.put(index, []);
    await store.remove(index, []);

    const keys = many.map(({ key }) => key);
    expect(await store.query(index, of(1, 0), { limit: 100 })).toHaveLength(100);
    expect((await store.similarities(index, of(1, 0), keys)).size).toBe(1_201);
    await store.remove(index, keys.slice(0, 1_200));
    expect((await store.query(index, of(1, 0), { limit: 100 })).map(({ key }) => key)).toEqual(['key-1200']);
  });

  it('isolates indexes and accepts concurrent puts', async () => {
    const [one, other] = [newIndex(), newIndex()];

    await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.put(i % 2 ? one : other, [stored(`key-${i}`, [1, i + 1])])),
    );

    expect(await store.query(one, of(1, 0), { limit: 100 })).toHaveLength(10);
    expect(await store.query(other, of(1, 0), { limit: 100 })).toHaveLength(10);
  });

  it('accepts any text as key or group', async () => {
    const index = newIndex();
    const odd = 'file#1 / ü 猫 🎉 "\n';
    await store.put(index, [stored(odd, [1, 0], odd)]);

    expect((await store.query(index, of(1, 0), { limit: 1, groups: [odd] }))[0]!.key).toBe(odd);
  });

  it.each<[string, (index: string) => Promise<unknown>]>([
    ['a name with capitals', () => store.query('Bot_1', of(1, 0), { limit: 1 })],
    ['a name of two letters', () => store.put('ab', [stored('a', [1, 0])])],
    ['101 results', index => store.query(index, of(1, 0), { limit: 101 })],
    ['no results', index => store.query(index, of(1, 0), { limit: 0 })],
    ['a vector of zeros', index => store.put(index, [stored('a', [0, 0])])],
    ['a query with other dimensions', index => store.query(index, of(1, 0, 0), { limit: 1 })],
    ['a put with mixed dimensions', index => store.put(index, [stored('a', [1, 0]), stored('b', [1])])],
    ['other dimensions later', index => store.put(index, [stored('b', [1])])],
  ])('rejects %s', async (_, attempt) => {
    const index = newIndex();
    await store.put(index, [stored('there', [1, 1])]);

    await expect(attempt(index)).rejects.toThrow();

    expect((await store.query(index, of(1, 1), { limit: 5 })).map(({ key }) => key)).toEqual(['there']);
  });

  it('returns the same as an exhaustive comparison after any changes', async () => {
    const values = fc
      .array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 })
      .filter(v => v.some(x => x));
    const step = fc.oneof(fc.record({ put: fc.tuple(fc.nat(9), values, fc.nat(2)) }), fc.record({ remove: fc.nat(9) }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), values, async (steps, query) => {
        const index = newIndex();
        const model = new Map<string, Float32Array>();
        for (const each of steps) {
          if ('put' in each) {
            const [key, vector, group] = each.put;
            await store.put(index, [stored(`k${key}`, vector, `g${group}`)]);
            model.set(`k${key}`, normalise(vector));
          } else {
            await store.remove(index, [`k${each.remove}`]);
            model.delete(`k${each.remove}`);
          }
        }
        const unit = normalise(query);

        const found = await store.query(index, Float32Array.from(query), { limit: 100 });

        expect(found.map(({ key }) => key).sort()).toEqual([...model.keys()].sort());
        for (const { key, similarity } of found) {
          expect(similarity).toBeCloseTo(asCosine(dotProduct(unit, model.get(key)!)), 4);
        }
        expect(found.map(({ similarity }) => similarity)).toEqual(
          found.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
        );
      }),
      { numRuns: 25 },
    );
  });
});

describe('the exact store in a directory', () => {
  const fileOf = (index: string) => join(directory, `${index}.vectors`);
  const keysIn = async (index: string) =>
    (await exact(directory).query(index, of(1, 0), { limit: 100 })).map(({ key }) => key);

  it('restores everything in the next process', async () => {
    const index = newIndex();
    const store = exact(directory);
    await store.put(index, [stored('a', [1, 0], 'x'), stored('b', [0, 1], 'y'), stored('c', [-1, 0], 'y')]);
    await store.remove(index, ['b']);

    expect(await keysIn(index)).toEqual(['a', 'c']);
    expect(await exact(directory).query(index, of(1, 0), { limit: 5, groups: ['y'] })).toEqual([
      { key: 'c', similarity: expect.closeTo(-1, 5) },
    ]);
  });

  it('loses at most the last record when its process is killed', async () => {
    const index = newIndex();
    await exact(directory).put(index, [stored('a', [1, 0])]);
    const { size: sizeOfFirst } = await stat(fileOf(index));
    await exact(directory).put(index, [stored('b', [1, 1])]);
    const whole = await readFile(fileOf(index));

    for (let length = sizeOfFirst; length < whole.length; length++) {
      await writeFile(fileOf(index), whole);
      await truncate(fileOf(index), length);
      expect(await keysIn(index)).toEqual(['a']);
    }

    await exact(directory).put(index, [stored('c', [0, 1])]);
    expect(await keysIn(index)).toEqual(['a', 'c']);
  });

  it('ignores everything after a corrupt record', async () => {
    const index = newIndex();
    await exact(directory).put(index, [stored('a', [1, 0])]);
    await appendFile(fileOf(index), Buffer.alloc(1_000, 7));

    expect(await keysIn(index)).toEqual(['a']);
    expect((await stat(fileOf(index))).size).toBeLessThan(100);
  });

  it('compacts the file when loading it', async () => {
    const index = newIndex();
    const store = exact(directory);
    for (let i = 0; i < 50; i++) await store.put(index, [stored('a', [1, i + 1])]);
    const { size: before } = await stat(fileOf(index));

    expect(await keysIn(index)).toEqual(['a']);
    expect((await stat(fileOf(index))).size).toBe(before / 50);
  });

  it('deletes the file of a removed index', async () => {
    const index = newIndex();
    const store = exact(directory);
    await store.put(index, [stored('a', [1, 0])]);
    await store.removeIndex(index);

    expect(await readdir(directory)).not.toContain(`${index}.vectors`);
  });
});

describe('S3 Vectors', () => {
  const store = () => s3Vectors({ buckets: BUCKETS, attempts: 3 });
  const since = (count: number) => service.requests.slice(count).map(({ path }) => path);
  const stubIndex = (index: string) => service.buckets.get(bucketOf(index, BUCKETS))!.get(index);
  const startOther = async (names: string[], limits: Parameters<typeof startS3Vectors>[1]) => {
    const other = await startS3Vectors(names, limits);
    vi.stubEnv('AWS_ENDPOINT_URL_S3VECTORS', other.endpoint);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await other.stop();
    });
    return other;
  };

  it('creates the index once, with the first vector', async () => {
    const index = newIndex();
    const before = service.requests.length;
    await store().put(index, [stored('a', [1, 0])]);
    await store().put(index, [stored('b', [1, 0])]);

    expect(since(before)).toEqual(['/PutVectors', '/CreateIndex', '/PutVectors', '/PutVectors']);
    expect(stubIndex(index)!.dimension).toBe(2);
  });

  it('tolerates the concurrent creation of an index and a delay until it is available', async () => {
    const index = newIndex();
    await store().put(index, [stored('a', [1, 0])]);
    const before = service.requests.length;
    service.failures.push(
      awsError(404, 'NotFoundException'),
      awsError(409, 'ConflictException'),
      awsError(404, 'NotFoundException'),
    );

    await store().put(index, [stored('b', [1, 0])]);

    expect(since(before)).toEqual(['/PutVectors', '/CreateIndex', '/PutVectors', '/PutVectors']);
    expect(stubIndex(index)!.vectors.size).toBe(2);
  });

  it('distributes indexes over the buckets, and finds and removes each in its own bucket', async () => {
    const names = Array.from({ length: 60 }, newIndex);
    const before = service.requests.length;
    for (const index of names) await store().put(index, [stored(index, [1, 0])]);

    for (const index of names) {
      expect((await store().query(index, of(1, 0), { limit: 5 })).map(({ key }) => key)).toEqual([index]);
      expect([...(await store().similarities(index, of(1, 0), [index])).keys()]).toEqual([index]);
      expect(service.buckets.get(bucketOf(index, BUCKETS))!.has(index)).toBe(true);
    }
    for (const index of names) await store().removeIndex(index);

    const used = service.requests.slice(before).map(({ body }) => body.vectorBucketName);
    expect([...new Set(used)].sort()).toEqual(BUCKETS);
    for (const indexes of service.buckets.values()) {
      expect(names.filter(index => indexes.has(index))).toEqual([]);
    }
  });

  it('returns false and logs an error when the bucket is full, and still writes to existing indexes', async () => {
    const logged = recordLog();
    const other = await startOther(['only'], { indexesPerBucket: 1 });
    const full = s3Vectors({ buckets: ['only'], attempts: 3 });

    expect(await full.put('index-first', [stored('a', [1, 0])])).toBe(true);
    expect(await full.put('index-second', [stored('a', [1, 0])])).toBe(false);
    expect(await full.put('index-first', [stored('b', [1, 0])])).toBe(true);

    expect([...other.buckets.get('only')!.keys()]).toEqual(['index-first']);
    expect(await full.query('index-second', of(1, 0), { limit: 5 })).toEqual([]);
    expect(logged.errors).toMatchObject([
      {
        message: expect.stringMatching(/^The vector bucket is full/),
        vectorBucketName: 'only',
        indexName: 'index-second',
      },
    ]);
  });

  it('returns the results of all pages', async () => {
    await startOther(BUCKETS, { resultsPerPage: 30 });
    const index = newIndex();
    const paged = store();
    await paged.put(
      index,
      Array.from({ length: 120 }, (_, i) => stored(`key-${i}`, [Math.cos(i / 100), Math.sin(i / 100)])),
    );

    const matches = await paged.query(index, of(1, 0), { limit: 100 });

    expect(matches.map(({ key }) => key)).toEqual(Array.from({ length: 100 }, (_, i) => `key-${i}`));
  });

  it('restricts a query to the groups that fit in a filter', async () => {
    const index = newIndex();
    const groups = Array.from({ length: 100 }, (_, i) => `g${i}`);
    await store().put(index, [stored('a', [1, 0], 'g99'), stored('b', [1, 0], 'g100')]);

    expect((await store().query(index, of(1, 0), { limit: 5, groups })).map(({ key }) => key)).toEqual(['a']);
    await expect(store().query(index, of(1, 0), { limit: 5, groups: [...groups, 'g100'] })).rejects.toThrow(
      /100 groups/,
    );
  });

  it('retries when throttled or unavailable', async () => {
    const index = newIndex();
    await store().put(index, [stored('a', [1, 0])]);
    service.failures.push(awsError(429, 'TooManyRequestsException'), awsError(503, 'ServiceUnavailableException'));

    expect(await store().query(index, of(1, 0), { limit: 1 })).toHaveLength(1);
  });

  it.each([
    [429, 'TooManyRequestsException'],
    [503, 'ServiceUnavailableException'],
  ])('throws ThrottledError when status %i persists', async (status, type) => {
    const index = newIndex();
    for (let i = 0; i < 3; i++) service.failures.push(awsError(status, type));

    await expect(store().put(index, [stored('a', [1, 0])])).rejects.toThrow(ThrottledError);

    expect(service.failures).toEqual([]);
  });

  it('throws rejections of the service unchanged', async () => {
    service.failures.push(awsError(403, 'AccessDeniedException', 'not allowed'));

    await expect(store().query(newIndex(), of(1, 0), { limit: 1 })).rejects.toThrow('not allowed');
  });

  it('distinguishes a missing bucket from a missing index', async () => {
    const other = s3Vectors({ buckets: ['other'], attempts: 1 });

    await expect(other.put(newIndex(), [stored('a', [1, 0])])).rejects.toThrow('No such vector bucket');
  });

  it('limits batches of large vectors to the size of a request', async () => {
    const before = service.requests.length;
    const large = Array.from({ length: 300 }, (_, i) => ({
      key: `key-${i}`,
      vector: new Float32Array(3_072).fill(0.123456789),
      group: 'g',
    }));

    await store().put(newIndex(), large);

    const sizes = service.requests.slice(before).map(({ body }) => JSON.stringify(body).length);
    expect(Math.max(...sizes)).toBeLessThan(20 * 1024 * 1024);
  });
});
