import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { chooseEmbeddingModel } from '#shared/ai/embedders/chooseEmbeddingModel.ts';
import { dotProduct } from '#shared/ai/vectors.ts';
import { DIMENSIONS, writeTinyModel } from './tinyModel.ts';

let models: string;
beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'parley-models-'));
  await writeTinyModel(join(models, 'tiny/words'));
});
afterAll(() => rm(models, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const choose = (choice: string) => {
  vi.stubEnv('EMBEDDINGS', choice);
  vi.stubEnv('EMBEDDINGS_MODELS', models);
};

describe('a model of Hugging Face', () => {
  it('has a vector space per id and size, whether named by id or by folder', async () => {
    choose('transformers:tiny/words');
    const { id, dimensions } = await chooseEmbedder();

    expect(await chooseEmbeddingModel()).toEqual({ id, dimensions: DIMENSIONS });
    choose(`transformers:${join(models, 'tiny/words')}`);
    expect(await chooseEmbedder()).toMatchObject({ id, dimensions, likeness: 'semantic' });
    expect(id).toMatch(/^[a-z0-9-]{1,20}$/);
  });

  it('is rejected without a download', async () => {
    choose('transformers:tiny/none');

    await expect(chooseEmbedder()).rejects.toThrow(/tiny\/none contains no model.*npm run model/);
    await expect(chooseEmbeddingModel()).rejects.toThrow(/contains no model/);
  });

  it('embeds passages, and queries with their prefix', async () => {
    choose('transformers:tiny/words');
    const embedder = await chooseEmbedder();
    const texts = [...Array.from({ length: 20 }, () => 'car car'), 'automobile', 'cheese', ''];

    const passages = await embedder.embed(texts, 'passage', 'bot');
    const [query] = await embedder.embed(['car'], 'query', 'bot');

    const [car, automobile, cheese] = [passages[0]!, passages[20]!, passages[21]!];
    expect(passages).toHaveLength(texts.length);
    expect(dotProduct(car, automobile)).toBeGreaterThan(0.9);
    expect(dotProduct(car, cheese)).toBeCloseTo(0, 5);
    expect(query![1]).toBeCloseTo(Math.SQRT1_2, 5);
    for (const vector of passages) expect(dotProduct(vector!, vector!)).toBeCloseTo(1, 5);
  });

  it('pools by the first token if configured', async () => {
    await writeTinyModel(join(models, 'tiny/cls'));
    await writeFile(join(models, 'tiny/cls/config_sentence_transformers.json'), '{}');
    await mkdir(join(models, 'tiny/cls/1_Pooling'));
    await writeFile(join(models, 'tiny/cls/1_Pooling/config.json'), '{"pooling_mode_cls_token":true}');
    choose('transformers:tiny/cls');

    const [vector] = await (await chooseEmbedder()).embed(['car cheese'], 'query', 'bot');

    expect([...vector!]).toEqual([1, 0, 0, 0]);
  });
});
