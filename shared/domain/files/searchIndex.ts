import { createHash } from 'node:crypto';
import type { VectorSpace } from '#shared/ai/embedder.ts';

/** Returns an index name of up to 63 characters, per embedder because their vectors are not comparable. */
export const searchIndexOf = (botId: string, { id }: Pick<VectorSpace, 'id'>): string =>
  `${botId}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
