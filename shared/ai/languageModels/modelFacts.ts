import { MODEL_VARIABLES } from './chooseModel.ts';

export interface ModelFacts {
  /** US dollars per million tokens. */
  inputPrice: number;
  outputPrice: number;
  inputTokens: number;
  outputTokens: number;
}

/** Default limits are those that clients assume for unknown models. @throws Error that names the variable */
export const modelFacts = (): ModelFacts => ({
  inputPrice: numberIn('inputPrice', 0),
  outputPrice: numberIn('outputPrice', 0),
  inputTokens: numberIn('inputTokens', 128_000),
  outputTokens: numberIn('outputTokens', 8_192),
});

function numberIn(variable: keyof ModelFacts, usual: number): number {
  const name = MODEL_VARIABLES[variable];
  const text = process.env[name];
  if (!text) return usual;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Error(`The environment variable ${name} is ${text}: it must be a number, 0 or more.`);
}
