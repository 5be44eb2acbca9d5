/** The process of `embedder.ts`: indexes passages, runs queries and idles. It prints its figures as JSON. */
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { findByKeywords, putTerms } from '#shared/ai/search/keywordIndex.ts';
import { exact } from '#shared/ai/vectorStores/exact.ts';
import { clock } from '#shared/core/clock.ts';
import { chunksOf } from '#shared/core/concurrency.ts';
import { corpora } from './corpus.ts';

const PASSAGES = 1_000;
const PASSAGES_OF_FILE = 100;
const QUERIES = 100;
const REST_MS = 60_000;
const LIMIT = 100;
const INDEX = 'embedder';
const BOT = 'embedder';
const CUT = { minimumParagraphLength: 500, maximumChunkLength: 1_000 };

export interface Figures {
  passages: number;
  characters: number;
  indexingSeconds: number;
  embeddingSeconds: number;
  firstQueryMs: number;
  queryMs: number[];
  embeddedQueryMs: number[];
  startMb: number;
  peakMb: number;
  restMb: number;
}

const texts = corpora.flatMap(({ passages }) => [...passages(CUT).values()].flat());
// Numbered, so that no two are equal.
const passages = Array.from({ length: PASSAGES }, (_, i) => `${texts[i % texts.length]} (${i})`);
const questions = corpora.flatMap(corpus => corpus.questions.map(({ question }) => question));
const megabytes = () => process.memoryUsage.rss() / 2 ** 20;

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}

const startMb = megabytes();
const embedder = await chooseEmbedder();
const store = exact();
let embeddingMs = 0;

async function indexFile(fileId: string, contents: readonly string[]): Promise<void> {
  let vectors: (Float32Array | undefined)[] = [];
  embeddingMs += await timed(async () => {
    vectors = await embedder.embed(contents, 'passage', 'bot');
  });
  await store.put(
    INDEX,
    vectors.flatMap((vector, number) => (vector ? [{ key: `${fileId}#${number}`, vector, group: fileId }] : [])),
  );
  await putTerms(BOT, fileId, '1', contents);
}

const indexingMs = await timed(async () => {
  for (const [i, contents] of chunksOf(passages, PASSAGES_OF_FILE).entries()) await indexFile(`file${i}`, contents);
});

const embeddedQueryMs: number[] = [];
async function search(query: string): Promise<void> {
  let vector: Float32Array | undefined;
  embeddedQueryMs.push(
    await timed(async () => {
      [vector] = await embedder.embed([query], 'query', 'bot');
    }),
  );
  await Promise.all([
    vector && store.query(INDEX, vector, { limit: LIMIT }),
    findByKeywords(BOT, query, { limit: LIMIT }),
  ]);
}
const queryMs: number[] = [];
for (let i = 0; i < QUERIES; i++) queryMs.push(await timed(() => search(questions[i % questions.length]!)));

const peakMb = process.resourceUsage().maxRSS / 1024;
await clock.sleep(REST_MS);
const restMb = megabytes();
// The model was unloaded.
const firstQueryMs = await timed(() => embedder.embed([questions[0]!], 'query', 'bot'));

const figures: Figures = {
  passages: passages.length,
  characters: passages.reduce((sum, { length }) => sum + length, 0) / passages.length,
  indexingSeconds: indexingMs / 1000,
  embeddingSeconds: embeddingMs / 1000,
  firstQueryMs,
  queryMs,
  embeddedQueryMs,
  startMb,
  peakMb,
  restMb,
};
process.stdout.write(JSON.stringify(figures));
