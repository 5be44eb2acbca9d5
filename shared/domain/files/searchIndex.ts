import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '#shared/ai/embedder.ts';

/** Returns an index name of up to 63 characters, per embedder because their vectors are not comparable. */
export const searchIndexOf = (botId: string, { id }: Pick<EmbeddingModel, 'id'>): string =>
  `${botId}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
