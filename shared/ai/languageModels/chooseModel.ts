import type { LanguageModel } from '#shared/ai/languageModel.ts';

export const MODEL_VARIABLES = {
  /** `bedrock:<model id>` or `openai:<model>`; unset for none. */
  model: 'MODEL',
  url: 'MODEL_URL',
  apiKey: 'MODEL_API_KEY',
  inputPrice: 'MODEL_INPUT_PRICE',
  outputPrice: 'MODEL_OUTPUT_PRICE',
  inputTokens: 'MODEL_INPUT_TOKENS',
  outputTokens: 'MODEL_OUTPUT_TOKENS',
} as const;

let chosen: { by: string; model: Promise<LanguageModel | undefined> } | undefined;

/**
 * Returns one instance per configuration; undefined if none is configured.
 * @throws Error that names the variable if the configuration is invalid
 */
export function chooseModel(): Promise<LanguageModel | undefined> {
  const by = JSON.stringify(Object.values(MODEL_VARIABLES).map(name => process.env[name]));
  if (chosen?.by !== by) chosen = { by, model: open() };
  return chosen.model;
}

async function open(): Promise<LanguageModel | undefined> {
  const choice = process.env[MODEL_VARIABLES.model];
  if (!choice) return undefined;
  const at = choice.indexOf(':');
  const [provider, model] = [choice.slice(0, Math.max(0, at)), choice.slice(at + 1)];
  if (provider === 'bedrock' && model) {
    const { bedrock } = await import('./bedrock.ts');
    return bedrock({ modelId: model });
  }
  if (provider === 'openai' && model) {
    const baseUrl = process.env[MODEL_VARIABLES.url];
    if (!baseUrl) throw new Error(`The environment variable ${MODEL_VARIABLES.url} is not set.`);
    const { openai } = await import('./openai.ts');
    return openai({ baseUrl, model, apiKey: process.env[MODEL_VARIABLES.apiKey] });
  }
  throw new Error(
    `The environment variable ${MODEL_VARIABLES.model} is ${choice}: it must be bedrock:<model id> or openai:<model>.`,
  );
}
