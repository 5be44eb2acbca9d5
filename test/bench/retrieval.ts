/** Section `retrieval`: the share of questions with the relevant passage among the first five, by search method. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Embedder } from '#shared/ai/embedder.ts';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { keywordScore } from '#shared/ai/search/bm25.ts';
import { findByKeywords, putTerms } from '#shared/ai/search/keywordIndex.ts';
import { fuseScores, VECTOR_SHARE } from '#shared/ai/search/scoreFusion.ts';
import type { VectorStore } from '#shared/ai/vectorStore.ts';
import { exact } from '#shared/ai/vectorStores/exact.ts';
import { randomText } from '#shared/core/ids.ts';
import type { IndexingSettings } from '#shared/core/passage.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { botTotalsKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { type Corpus, corpora, type Question } from './corpus.ts';
import type { Section } from './report.ts';
import { TABLE } from './services.ts';

const FIRST = 5;
/** Candidates from each of the two methods, as in `searchFiles.ts`. */
const CANDIDATES = 100;
const SHARES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const KINDS = ['paraphrased', 'rare', 'mixed'] as const;

interface Candidate {
  isAnswer: boolean;
  similarity: number | undefined;
  keywordScore: number;
}

/** Defaults of `indexFile.ts`. */
const DEFAULT_CUT = { minimumParagraphLength: 500, maximumChunkLength: 1_000 };
const OTHER_CUTS = [
  { minimumParagraphLength: 50, maximumChunkLength: 300 },
  { minimumParagraphLength: 100, maximumChunkLength: 1_000 },
  { minimumParagraphLength: 300, maximumChunkLength: 1_000 },
  { minimumParagraphLength: 800, maximumChunkLength: 1_000 },
  { minimumParagraphLength: 500, maximumChunkLength: 2_000 },
];

export async function measure(): Promise<Section> {
  const chosen = await chooseEmbedder();
  const [tuned] = corpora;
  const rows: string[][] = [];
  for (const corpus of corpora) {
    for (const embedder of chosen === hashing ? [hashing] : [hashing, chosen]) {
      const share = VECTOR_SHARE[embedder.likeness];
      const measured = await measureCut(embedder, corpus, DEFAULT_CUT);
      if (embedder === hashing) rows.push(measured('keywords', 0));
      rows.push(measured(`vectors of ${embedder.id}`, 1));
      rows.push(measured(embedder === chosen ? `**both, ${share} vector**` : `both, ${share} vector`, share));
      if (corpus !== tuned || embedder !== chosen) continue;
      for (const other of SHARES) if (other !== share) rows.push(measured(`both, ${other} vector`, other));
    }
  }
  const share = VECTOR_SHARE[chosen.likeness];
  for (const cut of OTHER_CUTS) rows.push((await measureCut(chosen, tuned, cut))(`both, ${share} vector`, share));
  const counts = corpora.map(({ name, questions }) => `${questions.length} about ${name}`).join(', ');
  return {
    title: 'Retrieval',
    measures: `Questions (${counts}): how often the right passage is among the first ${FIRST} (recall), and its mean reciprocal rank (MRR). Vectors of ${chosen.id}, compared with those of ${hashing.id}.`,
    columns: [
      'by',
      'corpus',
      'characters',
      'passages',
      ...['all', ...KINDS].flatMap(kind => [`${kind}: recall@${FIRST}`, 'MRR']),
    ],
    rows,
    notes: [
      'Paraphrased questions avoid the words of the passage; rare ones consist of words found nowhere else.',
      'Shorter passages split some answers, which then count as not found.',
      `Shares were chosen by the corpus ${tuned.name}. The others were written afterwards, and nothing was adjusted.`,
      `Bold: the platform's setting. \`${EMBEDDING_VARIABLES.embeddings}=openai:…\` or \`bedrock:…\` measures a model.`,
    ],
  };
}

/** Indexes a corpus and searches it for every question. @returns a function that returns a row of the table */
async function measureCut(embedder: Embedder, corpus: Corpus, settings: IndexingSettings) {
  const passages = corpus.passages(settings);
  const candidates = await findCandidates(embedder, corpus, passages);
  const { minimumParagraphLength: least, maximumChunkLength: most } = settings;
  const { questions } = corpus;
  return (by: string, share: number): string[] => [
    by,
    corpus.name,
    `${least} to ${most.toLocaleString('en')}`,
    String([...passages.values()].flat().length),
    ...[questions, ...KINDS.map(kind => questions.filter(question => question.kind === kind))].flatMap(some =>
      quality(some.map(question => rankOf(candidates.get(question)!, share))),
    ),
  ];
}

const quality = (ranks: number[]) => [
  (ranks.filter(rank => rank <= FIRST).length / ranks.length).toFixed(2),
  (ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length).toFixed(2),
];

async function findCandidates(
  embedder: Embedder,
  { questions }: Corpus,
  files: Map<string, string[]>,
): Promise<Map<Question, Candidate[]>> {
  const botId = randomText(20);
  const index = `retrieval-${embedder.id}`;
  const vectors: VectorStore = exact();
  for (const [file, passages] of files) {
    await putTerms(botId, file, '1', passages);
    const embedded = await embedder.embed(passages, 'passage', 'bot');
    await vectors.put(
      index,
      embedded.flatMap((vector, number) => (vector ? [{ key: `${file}#${number}`, vector, group: file }] : [])),
    );
  }
  const n = [...files.values()].flat().length;
  await documents.send(new PutCommand({ TableName: TABLE, Item: { ...botTotalsKey(botId), n } }));

  const found = new Map<Question, Candidate[]>();
  for (const question of questions) {
    const [vector] = await embedder.embed([question.question], 'query', 'bot');
    const { matches, weights } = await findByKeywords(botId, question.question, { limit: CANDIDATES });
    const close = vector ? await vectors.query(index, vector, { limit: CANDIDATES }) : [];
    const keys = new Set([
      ...matches.map(({ fileId, number }) => `${fileId}#${number}`),
      ...close.map(({ key }) => key),
    ]);
    const similarities = vector ? await vectors.similarities(index, vector, [...keys]) : new Map<string, number>();
    const candidates = [...keys].map(key => {
      const [file, number] = key.split('#') as [string, string];
      const text = files.get(file)![Number(number)]!;
      return {
        isAnswer: file === question.file && text.includes(question.answer),
        similarity: similarities.get(key),
        keywordScore: keywordScore(weights, text),
      };
    });
    found.set(question, candidates);
  }
  return found;
}

/** Scores a candidate by vector, keywords or both. Vectors alone do not rank a passage without a vector. */
const scoreOf = (candidate: Candidate, share: number): number => {
  if (share === 1) return Math.max(0, candidate.similarity ?? 0);
  return share === 0 ? candidate.keywordScore : fuseScores(candidate, share);
};

/** Returns infinity for a missing passage. Ties count against the relevant passage. */
function rankOf(candidates: readonly Candidate[], share: number): number {
  const answer = candidates.find(({ isAnswer }) => isAnswer);
  if (!answer) return Number.POSITIVE_INFINITY;
  const score = scoreOf(answer, share);
  if (score === 0) return Number.POSITIVE_INFINITY;
  return candidates.filter(candidate => scoreOf(candidate, share) >= score).length;
}
