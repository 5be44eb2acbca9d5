import { resolve } from 'node:path';

export const EMBEDDING_VARIABLES = {
  /** `local`, `hashing`, `bedrock:<model id>`, `openai:<model>` or `transformers:<model id or folder>`. */
  embeddings: 'EMBEDDINGS',
  url: 'EMBEDDINGS_URL',
  apiKey: 'EMBEDDINGS_API_KEY',
  dimensions: 'EMBEDDINGS_DIMENSIONS',
  models: 'EMBEDDINGS_MODELS',
  /** US dollars per million tokens; default 0. */
  price: 'EMBEDDINGS_PRICE',
} as const;

const DEFAULT_EMBEDDINGS = 'local';

type EmbeddingChoice =
  | { provider: 'hashing' | 'local' }
  | { provider: 'transformers'; folder: string; dimensions: number | undefined }
  | { provider: 'bedrock'; modelId: string; dimensions: number | undefined }
  | {
      provider: 'openai';
      model: string;
      baseUrl: string;
      apiKey: string | undefined;
      dimensions: number | undefined;
    };

/**
 * Returns a function that opens one instance per configuration.
 * @throws Error that names the variable if the configuration is invalid
 */
export function oncePerChoice<Opened>(open: (choice: EmbeddingChoice) => Promise<Opened>): () => Promise<Opened> {
  let current: { by: string; opened: Promise<Opened> } | undefined;
  return () => {
    const by = JSON.stringify(Object.values(EMBEDDING_VARIABLES).map(name => process.env[name]));
    if (current?.by !== by) {
      const opened = Promise.resolve().then(() => open(readChoice()));
      current = { by, opened };
      // A failure, such as an unreachable endpoint, is not cached.
      opened.catch(() => {
        if (current?.opened === opened) current = undefined;
      });
    }
    return current.opened;
  };
}

function readChoice(): EmbeddingChoice {
  const choice = process.env[EMBEDDING_VARIABLES.embeddings] || DEFAULT_EMBEDDINGS;
  const at = choice.indexOf(':');
  const [provider, model] = at < 0 ? [choice, ''] : [choice.slice(0, at), choice.slice(at + 1)];
  if ((provider === 'hashing' || provider === 'local') && !model) return { provider };
  if (provider === 'bedrock' && model) return { provider, modelId: model, dimensions: readDimensions() };
  if (provider === 'transformers' && model)
    return { provider, folder: modelFolder(model), dimensions: readDimensions() };
  if (provider === 'openai' && model) {
    const baseUrl = process.env[EMBEDDING_VARIABLES.url];
    if (!baseUrl) throw new Error(`The environment variable ${EMBEDDING_VARIABLES.url} is not set.`);
    const apiKey = process.env[EMBEDDING_VARIABLES.apiKey];
    return { provider, baseUrl, model, apiKey, dimensions: readDimensions() };
  }
  throw new Error(
    `The environment variable ${EMBEDDING_VARIABLES.embeddings} is ${choice}: it must be local, hashing, bedrock:<model id>, openai:<model> or transformers:<model id or folder>.`,
  );
}

/** Model ids such as `Xenova/all-MiniLM-L6-v2` name a folder in the directory. Other ids are paths. */
function modelFolder(model: string): string {
  if (/^[.~/]/.test(model)) return resolve(model);
  const directory = process.env[EMBEDDING_VARIABLES.models];
  if (!directory) throw new Error(`The environment variable ${EMBEDDING_VARIABLES.models} is not set.`);
  return resolve(directory, model);
}

function readDimensions(): number | undefined {
  const text = process.env[EMBEDDING_VARIABLES.dimensions];
  if (!text) return undefined;
  const dimensions = Number(text);
  if (Number.isInteger(dimensions) && dimensions > 0) return dimensions;
  throw new Error(`The environment variable ${EMBEDDING_VARIABLES.dimensions} is ${text}: it must be a whole number.`);
}
