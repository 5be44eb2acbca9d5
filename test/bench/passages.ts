/** Section `passages`: time and memory of searches by vectors and by keywords, with growing numbers of passages. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { findByKeywords, putTerms } from '#shared/ai/search/keywordIndex.ts';
import { exact } from '#shared/ai/vectorStores/exact.ts';
import { randomText } from '#shared/core/ids.ts';
import { type Section, times } from './report.ts';
import type { Services } from './services.ts';
import { quantile } from './statistics.ts';

/** 100,000 take nine minutes, mostly to fill DynamoDB Local. */
const MAX_PASSAGES = Number(process.env.BENCH_PASSAGES ?? 100_000);
const SIZES = [1_000, 10_000, 100_000].filter(size => size <= MAX_PASSAGES);
const PASSAGES_OF_FILE = 500;
const WORDS_OF_PASSAGE = 70;
const WORDS_OF_QUERY = 8;
const VOCABULARY = 30_000;
const SEARCHES = 60;
/** Uncounted searches warm up the code. */
const WARM_UP_SEARCHES = 10;
const LIMIT = 50;
const INDEX = 'passages';

export async function measure({ directory }: Services): Promise<Section> {
  const botId = randomText(20);
  const vectorsDirectory = join(directory, 'vectors');
  const store = exact(vectorsDirectory);
  const rows: string[][] = [];
  let indexed = 0;
  let embeddingMs = 0;
  let before: { vectorMs: number; keywordMs: number } | undefined;

  for (const size of SIZES) {
    const startMs = performance.now();
    for (; indexed < size; indexed += PASSAGES_OF_FILE) {
      const fileId = `file-${indexed}`;
      const passages = Array.from({ length: PASSAGES_OF_FILE }, () => words(WORDS_OF_PASSAGE));
      const embedStartMs = performance.now();
      const vectors = await hashing.embed(passages, 'passage', 'bot');
      embeddingMs += performance.now() - embedStartMs;
      const stored = vectors.map((vector, number) => ({ key: `${fileId}#${number}`, vector: vector!, group: fileId }));
      await Promise.all([store.put(INDEX, stored), putTerms(botId, fileId, '1', passages)]);
    }
    const indexingSeconds = (performance.now() - startMs) / 1000;

    const vectorMs: number[] = [];
    const keywordMs: number[] = [];
    for (let i = 0; i < WARM_UP_SEARCHES + SEARCHES; i++) {
      const query = words(WORDS_OF_QUERY);
      const byVector = await durationMs(async () => {
        const [vector] = await hashing.embed([query], 'query', 'bot');
        await store.query(INDEX, vector!, { limit: LIMIT });
      });
      const byKeywords = await durationMs(() => findByKeywords(botId, query, { limit: LIMIT }));
      if (i < WARM_UP_SEARCHES) continue;
      vectorMs.push(byVector);
      keywordMs.push(byKeywords);
    }
    const current = { vectorMs: quantile(vectorMs, 0.5), keywordMs: quantile(keywordMs, 0.5) };
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    const { size: fileBytes } = await stat(join(vectorsDirectory, `${INDEX}.vectors`));
    rows.push([
      size.toLocaleString('en'),
      current.vectorMs.toFixed(1),
      quantile(vectorMs, 0.95).toFixed(1),
      before ? times(current.vectorMs / before.vectorMs) : '',
      current.keywordMs.toFixed(1),
      quantile(keywordMs, 0.95).toFixed(1),
      before ? times(current.keywordMs / before.keywordMs) : '',
      megabytes(arrayBuffers),
      megabytes(heapUsed),
      megabytes(fileBytes),
      indexingSeconds.toFixed(0),
    ]);
    before = current;
  }

  const [vector] = await hashing.embed([words(WORDS_OF_QUERY)], 'query', 'bot');
  const loadingMs = await durationMs(() => exact(vectorsDirectory).query(INDEX, vector!, { limit: LIMIT }));
  return {
    title: 'Passages',
    measures: `One search among more and more passages of ${WORDS_OF_PASSAGE} words, ${PASSAGES_OF_FILE} to a file, with the exact store and the table; ${SEARCHES} searches of ${WORDS_OF_QUERY} words each.`,
    columns: [
      'passages',
      'vectors: p50, ms',
      'p95',
      '× before',
      'keywords: p50, ms',
      'p95',
      '× before',
      'vectors, MB',
      'heap, MB',
      'file, MB',
      'indexing, s',
    ],
    rows,
    notes: [
      `The hashing embedder computed ${Math.round(indexed / (embeddingMs / 1000)).toLocaleString('en')} vectors a second. A new process takes ${loadingMs.toFixed(0)} ms to load the last file.`,
      'Keywords take one query per word, in parallel. Their time is mostly that of DynamoDB Local, and grows with the items per word: one per file.',
    ],
  };
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** Generates words with the frequencies of a natural language (Zipf). */
const words = (count: number) =>
  Array.from({ length: count }, () => wordOf(Math.floor(VOCABULARY ** Math.random()))).join(' ');

const SYLLABLES = 'ba de fi go lu ma ne pi ro su ta ve wi zo ka le'.split(' ');

/** Rarer words are longer, as in natural languages. */
function wordOf(number: number): string {
  let word = 'x';
  for (let rest = number; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

async function durationMs(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}
