import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { EmbeddingModel } from '#shared/ai/embedder.ts';
import { embeddingModelId } from './embeddingModelId.ts';

const Config = z.object({
  hidden_size: z.optional(z.number()),
  dim: z.optional(z.number()),
  d_model: z.optional(z.number()),
});
const Pooling = z.object({ pooling_mode_cls_token: z.optional(z.boolean()) });
const Prompts = z.object({ prompts: z.optional(z.record(z.string(), z.string())) });

export const POOLING_FILE = '1_Pooling/config.json';
export const PROMPTS_FILE = 'config_sentence_transformers.json';

/**
 * Names the model after the last two parts of the path: `<owner>/<model>`.
 * @param known its dimensions, for functions without the folder
 * @throws Error that names the folder
 */
export async function transformersEmbeddingModel(folder: string, known?: number): Promise<EmbeddingModel> {
  const dimensions = known ?? sizeOf(await readJson(folder, 'config.json', Config));
  if (!dimensions) throw new Error(`${folder} contains no model. Download one with npm run model.`);
  return { id: embeddingModelId(`${basename(dirname(folder))}/${basename(folder)}`, dimensions), dimensions };
}

/** Returns the dimensions in the text of a `config.json`, which families of models name differently. */
export const dimensionsIn = (config: string): number | undefined => sizeOf(Config.parse(JSON.parse(config)));

const sizeOf = (config: z.infer<typeof Config> | undefined) => config?.hidden_size ?? config?.dim ?? config?.d_model;

export interface ModelUse {
  pooling: 'mean' | 'cls';
  prefixes: Record<'query' | 'passage', string>;
}

export async function readModelUse(folder: string): Promise<ModelUse> {
  const [pooling, described] = await Promise.all([
    readJson(folder, POOLING_FILE, Pooling),
    readJson(folder, PROMPTS_FILE, Prompts),
  ]);
  const { query = '', passage, document } = described?.prompts ?? {};
  return {
    pooling: pooling?.pooling_mode_cls_token ? 'cls' : 'mean',
    prefixes: { query, passage: passage ?? document ?? '' },
  };
}

async function readJson<Value>(folder: string, file: string, schema: z.ZodMiniType<Value>): Promise<Value | undefined> {
  const text = await readFile(join(folder, file), 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}
