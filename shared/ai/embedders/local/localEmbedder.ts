/**
 * Embeds with a small English model that is part of the repository, without a service or a download:
 * `infra/vendored/models/all-MiniLM-L6-v2`.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Embedder } from '#shared/ai/embedder.ts';
import { openModelThread, TEXT_LENGTH } from '#shared/ai/embedders/sentenceModels/openModelThread.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { LOCAL_EMBEDDING_MODEL } from './embeddingModel.ts';
import { joinSpelling, spellingOnly } from './jointVector.ts';

/**
 * Maximum share of pieces that are unknown or fragments of words. Vectors of texts in other languages have little
 * meaning: with them, 8 of 15 German questions about German pages find their page, with keywords only 10. Of English
 * pages, 95 % have at most 0.28; of German ones, 95 % have at least 0.22, half of them 0.39, German questions 0.5.
 * Other scripts have at least 0.8.
 */
const FRAGMENTS_LIMIT = 0.35;

/** Resolved at run time, because bundles do not contain the package. In Lambda, a layer does. */
const folderOf = () => dirname(createRequire(import.meta.filename).resolve('@parley/all-minilm-l6-v2/package.json'));

export function openLocal(options: { idleMs?: number } = {}): Embedder {
  let embedMeaning: Embedder['embed'] | undefined;
  return {
    ...LOCAL_EMBEDDING_MODEL,
    likeness: 'both',
    embedSpelling: spellingOnly,
    async embed(texts, kind, tenant) {
      embedMeaning ??= openModelThread(
        { folder: folderOf(), pooling: 'mean', fragmentsLimit: FRAGMENTS_LIMIT },
        options,
      );
      const short = texts.map(text => startOf(text, TEXT_LENGTH));
      const meanings = await embedMeaning(short, kind, tenant);
      return meanings.map((meaning, i) => meaning && joinSpelling(meaning, short[i]!));
    },
  };
}
