/**
 * Section `publicRetrieval`: questions whose page is among the first five passages, for each minimum length of passages
 * and each fusion of vectors and keywords.
 */
import type { Embedder } from '#shared/ai/embedder.ts';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { countTerms, keywordScore, weighTerms } from '#shared/ai/search/bm25.ts';
import { fuseScores, VECTOR_SHARE } from '#shared/ai/search/scoreFusion.ts';
import { dotProduct } from '#shared/ai/vectors.ts';
import { openPublicCorpora, type PublicCorpus, type PublicQuestion } from './publicCorpora.ts';
import type { Section } from './report.ts';

const FIRST = 5;
const CANDIDATES = 100;
const MINIMUMS = [100, 300, 500, 800];
/** The constant of reciprocal rank fusion (Cormack et al., Reciprocal Rank Fusion, 2009). */
const RANK_OFFSET = 60;

interface Candidate {
  isPage: boolean;
  isAnswer: boolean;
  keywordScore: number;
  similarity: number | undefined;
  /** From 1; infinite beyond the candidates. */
  rank: { byKeywords: number; byVector: number };
}

export async function measure(): Promise<Section> {
  const clones = process.env.BENCH_PAGES;
  const embedder = await chooseEmbedder();
  const share = VECTOR_SHARE[embedder.likeness];
  const fusions: Record<string, (candidate: Candidate) => number> = {
    keywords: candidate => candidate.keywordScore,
    [`${share} vector`]: candidate => fuseScores(candidate, share),
    'reciprocal ranks': ({ rank }) => 1 / (RANK_OFFSET + rank.byKeywords) + 1 / (RANK_OFFSET + rank.byVector),
  };
  const rows: string[][] = [];
  for (const corpus of clones ? openPublicCorpora(clones) : []) {
    for (const minimum of MINIMUMS) {
      const { found, passages, characters } = await search(embedder, corpus, minimum);
      for (const [fusion, score] of Object.entries(fusions)) {
        const best = new Map(
          [...found].map(([question, all]) => [question, all.toSorted((a, b) => score(b) - score(a)).slice(0, FIRST)]),
        );
        const count = (kind: PublicQuestion['kind'] | undefined) => {
          const asked = [...best].filter(([question]) => !kind || question.kind === kind).map(([, first]) => first);
          const pages = asked.filter(first => first.some(({ isPage }) => isPage)).length;
          const answers = asked.filter(first => first.some(({ isAnswer }) => isAnswer)).length;
          return asked.length === 0 ? '' : `${pages} · ${answers} of ${asked.length}`;
        };
        const kinds = ['paraphrased', 'rare', 'translated', 'mixed', undefined] as const;
        rows.push([corpus.name, `${minimum}`, `${passages}`, characters.toFixed(0), fusion, ...kinds.map(count)]);
      }
    }
  }
  return {
    title: 'Retrieval from public pages',
    measures: `Questions with a passage of the right page among the first ${FIRST} · with the passage that answers. Vectors of ${embedder.id}.`,
    columns: ['pages', 'minimum', 'passages', 'characters', 'by', 'paraphrased', 'rare', 'translated', 'mixed', 'all'],
    rows,
    notes: [
      'The questions were written before any engine searched the pages.',
      ...(clones ? [] : ['Not measured: BENCH_PAGES names no folder with clones (publicCorpora.ts).']),
    ],
  };
}

async function search(embedder: Embedder, { passages, questions }: PublicCorpus, minimumParagraphLength: number) {
  const all = [...passages({ minimumParagraphLength, maximumChunkLength: 1_000 })].flatMap(([page, cut]) =>
    cut.map(({ content, breadcrumb }) => ({
      page,
      content,
      text: [breadcrumb.join(' > '), content].join('\n').trim(),
    })),
  );
  const vectors = await embedder.embed(
    all.map(({ text }) => text),
    'passage',
    'bot',
  );
  const frequencies = new Map<string, number>();
  for (const { content } of all) {
    for (const term of countTerms(content).keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const asked = await embedder.embed(
    questions.map(({ question }) => question),
    'query',
    'bot',
  );

  const found = new Map<PublicQuestion, Candidate[]>();
  for (const [i, question] of questions.entries()) {
    const terms = [...countTerms(question.question).keys()];
    const weights = weighTerms(new Map(terms.map(term => [term, frequencies.get(term) ?? 0])), all.length);
    const answer = new RegExp(question.answer, 'i');
    const vector = asked[i];
    const scored = all.map(({ page, content }, at): Candidate => {
      const isPage = question.files.includes(page);
      const passage = vectors[at];
      return {
        isPage,
        isAnswer: isPage && answer.test(content),
        keywordScore: terms.length > 0 ? keywordScore(weights, content) : 0,
        similarity: vector && passage ? dotProduct(vector, passage) : undefined,
        rank: { byKeywords: Number.POSITIVE_INFINITY, byVector: Number.POSITIVE_INFINITY },
      };
    });
    const byKeywords = scored.filter(candidate => candidate.keywordScore > 0);
    const byVector = scored.filter(({ similarity }) => similarity !== undefined);
    const first = (some: Candidate[], score: (candidate: Candidate) => number) =>
      some.sort((a, b) => score(b) - score(a)).slice(0, CANDIDATES);
    const ranked = {
      byKeywords: first(byKeywords, candidate => candidate.keywordScore),
      byVector: first(byVector, ({ similarity }) => similarity!),
    };
    for (const [at, candidate] of ranked.byKeywords.entries()) candidate.rank.byKeywords = at + 1;
    for (const [at, candidate] of ranked.byVector.entries()) candidate.rank.byVector = at + 1;
    found.set(question, [...new Set([...ranked.byKeywords, ...ranked.byVector])]);
  }
  const characters = all.reduce((sum, { content }) => sum + content.length, 0) / all.length;
  return { found, passages: all.length, characters };
}
