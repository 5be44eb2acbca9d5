import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { sendBatches } from '#shared/dynamodb/batch.ts';
import { documents } from '#shared/dynamodb/client.ts';
import { splitTermSk, termKey, termPk } from '#shared/dynamodb/keys/files.ts';
import { botTotalsKey } from '#shared/dynamodb/keys/workspace.ts';
import { readItem } from '#shared/dynamodb/query.ts';
import { environment } from '#shared/environment.ts';
import { countTerms, lengthOf, saturate, type TermWeights, weighTerms } from './bm25.ts';
import { decodePostings, encodePostings, type Posting } from './postings.ts';

const TermItem = z.object({
  sk: z.string(),
  /** In how many passages of the file the term stands; of them `p` has the first. */
  n: z.number(),
  p: z.instanceof(Uint8Array),
});

/** The item may be there for another reason. */
const PassageCount = z.object({ n: z.optional(z.number()) });

/** A term that stands in more passages of one file than this tells none of them from the others. */
const PASSAGES_LIMIT = 500;
/** A query has at most 1 KB, which can be 200 words; the rarest of them decide. */
const QUERY_TERMS_LIMIT = 16;
const _BATCH = 25;
const _BATCHES_AT_ONCE = 8;

/** Puts the terms of one indexing of a file, or puts them anew. @param passages all of them, in order */
export async function putTerms(
  botId: string,
  fileId: string,
  indexingId: string,
  passages: readonly string[],
): Promise<void> {
  await sendBatches(
    [...postingsOf(passages)].map(([term, postings]) => ({
      PutRequest: {
        Item: {
          ...termKey(botId, term, fileId, indexingId),
          n: postings.length,
          p: encodePostings(postings.slice(0, PASSAGES_LIMIT)),
        },
      },
    })),
  );
}

/** Removes what {@link putTerms} put for the same passages. Succeeds as well where there is nothing. */
export async function dropTerms(
  botId: string,
  fileId: string,
  indexingId: string,
  passages: readonly string[],
): Promise<void> {
  const terms = [...postingsOf(passages).keys()];
  await sendBatches(terms.map(term => ({ DeleteRequest: { Key: termKey(botId, term, fileId, indexingId) } })));
}

function postingsOf(passages: readonly string[]): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>();
  for (const [number, passage] of passages.entries()) {
    const counts = countTerms(passage);
    const length = lengthOf(counts);
    for (const [term, count] of counts) {
      const known = postings.get(term);
      if (known) known.push([number, count, length]);
      else postings.set(term, [[number, count, length]]);
    }
  }
  return postings;
}

/** A passage that was found. */
export interface KeywordMatch {
  fileId: string;
  indexingId: string;
  /** Its place among the passages that were put, from 0. */
  number: number;
  /** From 0 to 1; see `keywords.ts`. */
  score: number;
}

/**
 * The passages that have most of a query's words, best first. Of a term that stands in so many files that they don't fit
 * into one answer of DynamoDB (1 MB, some 8,000 files), the rest is not seen: `keywordScore` by the text puts that right.
 * @param isWanted whether to look at a file, as of one indexing
 * @returns what was found, and how much each term counts, with which other passages can be scored
 */
export async function findByKeywords(
  botId: string,
  query: string,
  { limit, isWanted = () => true }: { limit: number; isWanted?: (fileId: string, indexingId: string) => boolean },
): Promise<{ matches: KeywordMatch[]; weights: TermWeights }> {
  const terms = rarestLooking([...countTerms(query).keys()]).slice(0, QUERY_TERMS_LIMIT);
  if (terms.length === 0) return { matches: [], weights: new Map() };
  const [count, ...found] = await Promise.all([
    readItem(botTotalsKey(botId)),
    ...terms.map(term => findTerm(botId, term)),
  ]);

  const frequencies = new Map(terms.map((term, i) => [term, found[i]!.reduce((sum, { n }) => sum + n, 0)]));
  const weights = weighTerms(frequencies, PassageCount.parse(count ?? {}).n ?? 0);
  const scores = new Map<string, Map<number, number>>();
  for (const [i, term] of terms.entries()) {
    for (const { sk, p } of found[i]!) {
      let ofFile = scores.get(sk);
      if (!ofFile) {
        const { fileId, indexingId } = splitTermSk(sk);
        if (!isWanted(fileId, indexingId)) continue;
        ofFile = new Map();
        scores.set(sk, ofFile);
      }
      for (const [number, count, length] of decodePostings(p)) {
        ofFile.set(number, (ofFile.get(number) ?? 0) + weights.get(term)! * saturate(count, length));
      }
    }
  }
  return { matches: best(scores, limit), weights };
}

/** Whether a word is rare is known once it was looked up; before, those with digits and long ones look so. */
const rarestLooking = (terms: string[]) => {
  const looks = (term: string) => term.length + (/\p{N}/u.test(term) ? 40 : 0);
  return terms.sort((a, b) => looks(b) - looks(a));
};

// Not consistent, at half the price: what was indexed within the last second may be found in the next.
async function findTerm(botId: string, term: string): Promise<z.infer<typeof TermItem>[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': termPk(botId, term) },
      ProjectionExpression: 'sk, n, p',
      // Ids rise with time: should not all fit, what was uploaded last does.
      ScanIndexForward: false,
    }),
  );
  return Items.map(item => TermItem.parse(item));
}

/** Keeps the best so far in order: a word that is everywhere brings 100,000 passages, of which to sort all takes longer. */
function best(scores: ReadonlyMap<string, ReadonlyMap<number, number>>, limit: number): KeywordMatch[] {
  const found: { sk: string; number: number; score: number }[] = [];
  for (const [sk, ofFile] of scores) {
    for (const [number, score] of ofFile) {
      const last = found[limit - 1];
      if (last && score <= last.score) continue;
      if (last) found.pop();
      let at = found.length;
      while (at > 0 && found[at - 1]!.score < score) at--;
      found.splice(at, 0, { sk, number, score });
    }
  }
  return found.map(({ sk, number, score }) => ({ ...splitTermSk(sk), number, score }));
}
