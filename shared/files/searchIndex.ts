/** The index in which a bot's passages are found by their meaning: one for each bot and embedder. */
import { createHash } from 'node:crypto';
import type { Embedder } from '#shared/ai/embedder.ts';

/** Vectors of another embedder mean something else, so they are kept apart. Stores take 63 of `a-z0-9-`. */
export const searchIndexOf = (botId: string, { id }: Embedder): string =>
  `${botId}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
