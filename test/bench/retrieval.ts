/** Section `retrieval`: the share of questions with the relevant passage among the first five, by search method. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import type { Embedder } from '#shared/ai/embedder.ts';
import { keywordScore } from '#shared/ai/search/bm25.ts';
import { findByKeywords, putTerms } from '#shared/ai/search/keywordIndex.ts';
import { fuseScores, VECTOR_SHARE } from '#shared/ai/search/scoreFusion.ts';
import type { VectorStore } from '#shared/ai/vectorStore.ts';
import { exact } from '#shared/ai/vectorStores/exact.ts';
import { randomText } from '#shared/core/ids.ts';
import { documents } from '#shared/storage/dynamodb/client.ts';
import { botTotalsKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { corpus, type Question, questions } from './corpus.ts';
import type { Section } from './report.ts';
import { TABLE } from './services.ts';

const FIRST = 5;
/** Candidates from each of the two methods, as in `searchFiles.ts`. */
const CANDIDATES = 100;
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const KINDS = ['paraphrased', 'rare', 'mixed'] as const;

/** One of the candidates for a question. */
interface Candidate {
  isAnswer: boolean;
  similarity: number;
  keywordScore: number;
}

/** The default of `indexFile.ts` first. */
const CUTS = [
  { minimumParagraphLength: 100, maximumChunkLength: 1_000 },
  { minimumParagraphLength: 50, maximumChunkLength: 300 },
  { minimumParagraphLength: 100, maximumChunkLength: 500 },
  { minimumParagraphLength: 300, maximumChunkLength: 1_000 },
  { minimumParagraphLength: 500, maximumChunkLength: 2_000 },
];

export async function measure(): Promise<Section> {
  const embedder = await chooseEmbedder();
  const chosen = VECTOR_SHARE[embedder.likeness];
  const rows: string[][] = [];
  for (const [i, settings] of CUTS.entries()) {
    const files = corpus(settings);
    const candidates = await findCandidates(embedder, files);
    const { minimumParagraphLength: least, maximumChunkLength: most } = settings;
    for (const share of i === 0 ? SHARES : [chosen]) {
      const by = share === 0 ? 'keywords' : share === 1 ? 'vectors' : `both, ${share} vector`;
      rows.push([
        i === 0 && share === chosen ? `**${by}**` : by,
        `${least} to ${most.toLocaleString('en')}`,
        String([...files.values()].flat().length),
        ...[questions, ...KINDS.map(kind => questions.filter(question => question.kind === kind))].flatMap(some =>
          quality(some.map(question => rankOf(candidates.get(question)!, share))),
        ),
      ]);
    }
  }
  return {
    title: 'Retrieval',
    measures: `${questions.length} questions about public-domain texts: how often the right passage is among the first ${FIRST} (recall), and its mean reciprocal rank (MRR). Vectors of ${embedder.id}.`,
    columns: [
      'by',
      'characters',
      'passages',
      ...['all', ...KINDS].flatMap(kind => [`${kind}: recall@${FIRST}`, 'MRR']),
    ],
    rows,
    notes: [
      'Paraphrased questions avoid the words of the passage; rare ones consist of words found nowhere else.',
      'Shorter passages split some answers, which then count as not found.',
      "Bold: the platform's setting. `EMBEDDINGS=openai:…` or `bedrock:…` measures a model.",
    ],
  };
}

const quality = (ranks: number[]) => [
  (ranks.filter(rank => rank <= FIRST).length / ranks.length).toFixed(2),
  (ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length).toFixed(2),
];

/** Indexes the corpus and searches it for every question. */
async function findCandidates(embedder: Embedder, files: Map<string, string[]>): Promise<Map<Question, Candidate[]>> {
  const botId = randomText(20);
  const index = `retrieval-${embedder.id}`;
  const vectors: VectorStore = exact();
  for (const [file, passages] of files) {
    await putTerms(botId, file, '1', passages);
    const embedded = await embedder.embed(passages, 'passage');
    await vectors.put(
      index,
      embedded.flatMap((vector, number) => (vector ? [{ key: `${file}#${number}`, vector, group: file }] : [])),
    );
  }
  const n = [...files.values()].flat().length;
  await documents.send(new PutCommand({ TableName: TABLE, Item: { ...botTotalsKey(botId), n } }));

  const found = new Map<Question, Candidate[]>();
  for (const question of questions) {
    const [vector] = await embedder.embed([question.question], 'query');
    const { matches, weights } = await findByKeywords(botId, question.question, { limit: CANDIDATES });
    const close = await vectors.query(index, vector!, { limit: CANDIDATES });
    const keys = new Set([
      ...matches.map(({ fileId, number }) => `${fileId}#${number}`),
      ...close.map(({ key }) => key),
    ]);
    const similarities = await vectors.similarities(index, vector!, [...keys]);
    found.set(
      question,
      [...keys].map(key => {
        const [file, number] = key.split('#') as [string, string];
        const text = files.get(file)![Number(number)]!;
        return {
          isAnswer: file === question.file && text.includes(question.answer),
          similarity: similarities.get(key)!,
          keywordScore: keywordScore(weights, text),
        };
      }),
    );
  }
  return found;
}

/** Infinite when it is not found. Among equal scores the right one ranks last. */
function rankOf(candidates: readonly Candidate[], share: number): number {
  const answer = candidates.find(({ isAnswer }) => isAnswer);
  if (!answer) return Number.POSITIVE_INFINITY;
  const score = fuseScores(answer, share);
  if (score === 0) return Number.POSITIVE_INFINITY;
  return candidates.filter(candidate => fuseScores(candidate, share) >= score).length;
}
