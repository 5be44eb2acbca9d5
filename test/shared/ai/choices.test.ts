import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { chooseEmbeddingModel } from '#shared/ai/embedders/chooseEmbeddingModel.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { startS3Vectors } from './s3VectorsStub.ts';
import { ANY_CREDENTIALS, startStub } from './stubServer.ts';

function set(variables: Record<string, string>) {
  for (const [name, value] of Object.entries({ ...ANY_CREDENTIALS, ...variables })) vi.stubEnv(name, value);
}
afterEach(() => vi.unstubAllEnvs());

describe('the configured embedder', () => {
  it('is the local model by default', async () => {
    vi.stubEnv('EMBEDDINGS', undefined);

    expect((await chooseEmbedder()).id).toBe('local2-768');
  });

  it('is the hashing embedder', async () => {
    set({ EMBEDDINGS: 'hashing' });

    expect((await chooseEmbedder()).id).toBe('hashing1-384');
  });

  it.each([
    { EMBEDDINGS: 'local' },
    { EMBEDDINGS: 'hashing' },
    { EMBEDDINGS: 'bedrock:amazon.titan-embed-text-v2:0' },
    { EMBEDDINGS: 'bedrock:eu.cohere.embed-multilingual-v3' },
    { EMBEDDINGS: 'openai:nomic-embed-text', EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_DIMENSIONS: '8' },
  ])('returns the model that functions without an embedder use: %o', async variables => {
    set(variables as Record<string, string>);

    const { id, dimensions } = await chooseEmbedder();

    expect(await chooseEmbeddingModel()).toMatchObject({ id, dimensions });
  });

  it('has a separate id for each model and size', async () => {
    const choices: Record<string, string>[] = [
      { EMBEDDINGS: 'local' },
      { EMBEDDINGS: 'hashing' },
      { EMBEDDINGS: 'bedrock:amazon.titan-embed-text-v2:0' },
      { EMBEDDINGS: 'bedrock:amazon.titan-embed-text-v2:0', EMBEDDINGS_DIMENSIONS: '512' },
      { EMBEDDINGS: 'bedrock:cohere.embed-english-v3' },
      { EMBEDDINGS: 'bedrock:cohere.embed-multilingual-v3' },
    ];
    const ids: string[] = [];

    for (const choice of choices) {
      vi.unstubAllEnvs();
      set(choice);
      ids.push((await chooseEmbeddingModel()).id);
    }

    expect(new Set(ids).size).toBe(choices.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,20}$/);
  });

  it('is a Bedrock model', async () => {
    set({ EMBEDDINGS: 'bedrock:amazon.titan-embed-text-v2:0', EMBEDDINGS_DIMENSIONS: '512' });

    expect(await chooseEmbedder()).toMatchObject({ dimensions: 512, likeness: 'semantic' });
  });

  it('is an OpenAI-compatible endpoint, and retries it when it is unavailable', async () => {
    const service = await startStub(() => ({ status: 200, body: { data: [{ index: 0, embedding: [1, 1] }] } }));
    set({ EMBEDDINGS: 'openai:nomic-embed-text', EMBEDDINGS_URL: service.endpoint });
    service.failures.push({ status: 400, body: 'no such model' });

    await expect(chooseEmbedder()).rejects.toThrow('no such model');
    const embedder = await chooseEmbedder();

    expect(embedder).toMatchObject({ dimensions: 2, likeness: 'semantic' });
    expect(embedder.id.length).toBeLessThanOrEqual(20);
    expect(await chooseEmbedder()).toBe(embedder);
    expect(service.requests).toHaveLength(2);
    await service.stop();
  });

  it.each([
    [{ EMBEDDINGS: 'magic' }, 'EMBEDDINGS is magic'],
    [{ EMBEDDINGS: 'local:large' }, 'EMBEDDINGS is local:large'],
    [{ EMBEDDINGS: 'bedrock:' }, 'EMBEDDINGS is bedrock:'],
    [{ EMBEDDINGS: 'openai:m' }, 'EMBEDDINGS_URL is not set'],
    [{ EMBEDDINGS: 'bedrock:amazon.titan-embed-text-v2:0', EMBEDDINGS_DIMENSIONS: 'many' }, 'EMBEDDINGS_DIMENSIONS'],
  ])('rejects %o', async (variables, message) => {
    set(variables as Record<string, string>);

    await expect(chooseEmbedder()).rejects.toThrow(message);
  });
});

describe('the configured vector store', () => {
  const vector = { key: 'a', vector: Float32Array.from([1, 0]), group: 'g' };

  it('is one exact store by default', async () => {
    await (await chooseVectorStore()).put('index', [vector]);

    expect(await (await chooseVectorStore()).query('index', vector.vector, { limit: 1 })).toHaveLength(1);
  });

  it('is the exact store in a directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-vectors-'));
    set({ VECTORS_DIR: join(directory, 'vectors') });

    await (await chooseVectorStore()).put('index', [vector]);

    expect(await readdir(join(directory, 'vectors'))).toEqual(['index.vectors']);
    await rm(directory, { recursive: true });
  });

  it('is S3 Vectors', async () => {
    const service = await startStub(() => ({ status: 200, body: { vectors: [{ key: 'a', distance: 0.25 }] } }));
    set({ VECTORS: 's3:my-bucket', AWS_ENDPOINT_URL_S3VECTORS: service.endpoint });

    const matches = await (await chooseVectorStore()).query('index', vector.vector, { limit: 1 });

    expect(matches).toEqual([{ key: 'a', similarity: 0.75 }]);
    expect(service.requests[0]!.body.vectorBucketName).toBe('my-bucket');
    await service.stop();
  });

  it('is S3 Vectors with several buckets', async () => {
    const service = await startS3Vectors(['bucket-0', 'bucket-1']);
    set({ VECTORS: 's3:bucket-0,bucket-1', AWS_ENDPOINT_URL_S3VECTORS: service.endpoint });
    const store = await chooseVectorStore();

    for (let i = 0; i < 20; i++) await store.put(`index-${i}`, [vector]);

    const used = new Set(service.requests.map(({ body }) => body.vectorBucketName));
    expect([...used].sort()).toEqual(['bucket-0', 'bucket-1']);
    await service.stop();
  });

  it.each(['magic', 's3:', 's3:a,', 's3:,a', 's3:a,,b'])('rejects %s', async choice => {
    set({ VECTORS: choice });

    await expect(chooseVectorStore()).rejects.toThrow(`VECTORS is ${choice}`);
  });
});
