import type { Embedder } from '#shared/ai/embedder.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { type Spender, withSpendReservation } from './reserve.ts';

const MILLION = 1_000_000;
const CHARACTERS_PER_TOKEN = 4;

function price(): number {
  const text = process.env[EMBEDDING_VARIABLES.price];
  const value = Number(text || 0);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Error(`The environment variable ${EMBEDDING_VARIABLES.price} is ${text}: it must be a number, 0 or more.`);
}

/** Queries are free: a search's reads cost more than its embedding. @throws ApiError QuotaExceeded */
export function embedPassages(
  spender: Spender,
  embedder: Embedder,
  texts: readonly string[],
): ReturnType<Embedder['embed']> {
  const perToken = price() / MILLION;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
  return withSpendReservation(spender, bytes * perToken, async () => ({
    result: await embedder.embed(texts, 'passage', spender.botId),
    dollars: tokens * perToken,
  }));
}
