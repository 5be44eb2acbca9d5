/** Selects the embedder by environment variables. */
import type { Embedder } from './embedder.ts';
import { hashing } from './embedders/hashing.ts';

export const EMBEDDING_VARIABLES = {
  /** `hashing`, `local`, `bedrock:<model id>` or `openai:<model>`. */
  embeddings: 'EMBEDDINGS',
  /** Base URL of an OpenAI-compatible endpoint, without `/embeddings`. */
  url: 'EMBEDDINGS_URL',
  apiKey: 'EMBEDDINGS_API_KEY',
  dimensions: 'EMBEDDINGS_DIMENSIONS',
  /** US dollars for a million tokens; 0 unless set. */
  price: 'EMBEDDINGS_PRICE',
} as const;

let chosen: { by: string; embedder: Promise<Embedder> } | undefined;

/** One instance per configuration. @throws Error that names the variable when the configuration is invalid */
export function chooseEmbedder(): Promise<Embedder> {
  const by = JSON.stringify(Object.values(EMBEDDING_VARIABLES).map(name => process.env[name]));
  if (chosen?.by !== by) {
    const embedder = open();
    chosen = { by, embedder };
    // A failed start, such as an unreachable endpoint, is not cached.
    embedder.catch(() => {
      if (chosen?.embedder === embedder) chosen = undefined;
    });
  }
  return chosen.embedder;
}

/** Loads only the selected provider: the SDK's client takes 30 ms of a cold start, the local model its memory. */
async function open(): Promise<Embedder> {
  const choice = process.env[EMBEDDING_VARIABLES.embeddings] || 'hashing';
  const at = choice.indexOf(':');
  const [provider, model] = at < 0 ? [choice, ''] : [choice.slice(0, at), choice.slice(at + 1)];
  if (provider === 'hashing' && !model) return hashing;
  if (provider === 'local' && !model) {
    const { openLocal } = await import('./embedders/local/local.ts');
    return openLocal();
  }
  if (provider === 'bedrock' && model) {
    const { bedrock } = await import('./embedders/bedrock.ts');
    return bedrock({ modelId: model, dimensions: readDimensions() });
  }
  if (provider === 'openai' && model) {
    const baseUrl = process.env[EMBEDDING_VARIABLES.url];
    if (!baseUrl) throw new Error(`The environment variable ${EMBEDDING_VARIABLES.url} is not set.`);
    const { openai } = await import('./embedders/openai.ts');
    const apiKey = process.env[EMBEDDING_VARIABLES.apiKey];
    return openai({ baseUrl, model, apiKey, dimensions: readDimensions() });
  }
  throw new Error(
    `The environment variable ${EMBEDDING_VARIABLES.embeddings} is ${choice}: it must be hashing, local, bedrock:<model id> or openai:<model>.`,
  );
}

function readDimensions(): number | undefined {
  const text = process.env[EMBEDDING_VARIABLES.dimensions];
  if (!text) return undefined;
  const dimensions = Number(text);
  if (Number.isInteger(dimensions) && dimensions > 0) return dimensions;
  throw new Error(`The environment variable ${EMBEDDING_VARIABLES.dimensions} is ${text}: it must be a whole number.`);
}
