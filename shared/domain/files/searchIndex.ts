import { createHash } from 'node:crypto';
import type { VectorSpace } from '#shared/ai/embedder.ts';

/**
 * The name of a bot's vector index. Each embedder has its own index, since vectors of different embedders are not
 * comparable. Names have at most 63 characters of `a-z0-9-`.
 */
export const searchIndexOf = (botId: string, { id }: VectorSpace): string =>
  `${botId}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
