import { findPassageCount } from '#shared/storage/dynamodb/bots/botTotals.ts';
import {
  findPostings,
  putPostings,
  removePostings,
  type TermPostings,
} from '#shared/storage/dynamodb/files/postings.ts';
import { countTerms, saturate, sumCounts, type TermWeights, weighTerms } from './bm25.ts';
import { decodePostings, encodePostings, type Posting } from './postingsCodec.ts';

/** Passages kept per term and file. A term in more passages does not distinguish them. */
const PASSAGES_LIMIT = 500;
/** Terms looked up per query. A query of 1 KB can have 200 words, of which the rarest are decisive. */
const QUERY_TERMS_LIMIT = 16;

/** Stores the terms of one indexing of a file. @param passages all of them, in order */
export async function putTerms(
  botId: string,
  fileId: string,
  indexingId: string,
  passages: readonly string[],
): Promise<void> {
  const postings = [...invert(passages)].map(([term, some]): [string, Pick<TermPostings, 'passages' | 'encoded'>] => [
    term,
    { passages: some.length, encoded: encodePostings(some.slice(0, PASSAGES_LIMIT)) },
  ]);
  await putPostings(botId, { fileId, indexingId }, postings);
}

export async function dropTerms(
  botId: string,
  fileId: string,
  indexingId: string,
  passages: readonly string[],
): Promise<void> {
  await removePostings(botId, { fileId, indexingId }, invert(passages).keys());
}

function invert(passages: readonly string[]): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>();
  for (const [number, passage] of passages.entries()) {
    const counts = countTerms(passage);
    const length = sumCounts(counts);
    for (const [term, count] of counts) {
      const known = postings.get(term);
      if (known) known.push([number, count, length]);
      else postings.set(term, [[number, count, length]]);
    }
  }
  return postings;
}

export interface KeywordMatch {
  fileId: string;
  indexingId: string;
  /** Position in the indexing, from 0. */
  number: number;
  score: number;
}

interface IndexingScores extends Pick<KeywordMatch, 'fileId' | 'indexingId'> {
  byPassage: Map<number, number>;
}

/**
 * Finds the passages that best match a query's words, best first. For a term with more files than a page of DynamoDB
 * holds, the oldest files are not scored. Callers correct that with `keywordScore` on the text.
 * @param isWanted restricts the search to some files or indexings
 * @returns the matches, and the term weights for `keywordScore`
 */
export async function findByKeywords(
  botId: string,
  query: string,
  { limit, isWanted = () => true }: { limit: number; isWanted?: (fileId: string, indexingId: string) => boolean },
): Promise<{ matches: KeywordMatch[]; weights: TermWeights }> {
  const terms = rarestFirst([...countTerms(query).keys()]).slice(0, QUERY_TERMS_LIMIT);
  if (terms.length === 0) return { matches: [], weights: new Map() };
  const [passageCount, ...found] = await Promise.all([
    findPassageCount(botId),
    ...terms.map(term => findPostings(botId, term)),
  ]);

  const frequencies = new Map(
    terms.map((term, i) => [term, found[i]!.reduce((sum, { passages }) => sum + passages, 0)]),
  );
  const weights = weighTerms(frequencies, passageCount);
  const scores = new Map<string, IndexingScores>();
  for (const [i, term] of terms.entries()) {
    for (const { fileId, indexingId, encoded } of found[i]!) {
      const name = `${fileId} ${indexingId}`;
      let known = scores.get(name);
      if (!known) {
        if (!isWanted(fileId, indexingId)) continue;
        known = { fileId, indexingId, byPassage: new Map() };
        scores.set(name, known);
      }
      for (const [number, count, length] of decodePostings(encoded)) {
        const score = weights.get(term)! * saturate(count, length);
        known.byPassage.set(number, (known.byPassage.get(number) ?? 0) + score);
      }
    }
  }
  return { matches: best(scores.values(), limit), weights };
}

/** Estimates rarity before the lookup: terms with digits first, then long ones. */
const rarestFirst = (terms: string[]) => {
  const rarity = (term: string) => term.length + (/\p{N}/u.test(term) ? 40 : 0);
  return terms.sort((a, b) => rarity(b) - rarity(a));
};

/** Keeps only the best, in order, because a common word matches 100,000 passages, too many to sort. */
function best(scores: Iterable<IndexingScores>, limit: number): KeywordMatch[] {
  const found: KeywordMatch[] = [];
  for (const { fileId, indexingId, byPassage } of scores) {
    for (const [number, score] of byPassage) {
      const last = found[limit - 1];
      if (last && score <= last.score) continue;
      if (last) found.pop();
      let at = found.length;
      while (at > 0 && found[at - 1]!.score < score) at--;
      found.splice(at, 0, { fileId, indexingId, number, score });
    }
  }
  return found;
}
