/**
 * The postings of the keyword index: for each term an item per file and indexing, which says in which passages the term
 * stands. Items never change; they come and go with their indexing.
 */
import * as z from 'zod/mini';
import { sendBatches } from '#shared/storage/dynamodb/batch.ts';
import { splitTermSk, termKey, termPk } from '#shared/storage/dynamodb/keys/files.ts';
import { inPartition, queryPage } from '#shared/storage/dynamodb/query.ts';

/** The passages of one indexing that have a term. */
export interface TermPostings {
  fileId: string;
  indexingId: string;
  /** Number of passages with the term; `encoded` may have fewer. */
  passages: number;
  /** See `search/postingsCodec.ts`. */
  encoded: Uint8Array;
}

const TermItem = z.object({ sk: z.string(), n: z.number(), p: z.instanceof(Uint8Array) });

/** Puts or replaces the postings of all terms of one indexing. */
export async function putPostings(
  botId: string,
  { fileId, indexingId }: { fileId: string; indexingId: string },
  postings: Iterable<[term: string, Pick<TermPostings, 'passages' | 'encoded'>]>,
): Promise<void> {
  await sendBatches(
    Array.from(postings, ([term, { passages, encoded }]) => ({
      PutRequest: { Item: { ...termKey(botId, term, fileId, indexingId), n: passages, p: encoded } },
    })),
  );
}

/** Removes the postings of some terms of one indexing. Missing ones are ignored. */
export async function removePostings(
  botId: string,
  { fileId, indexingId }: { fileId: string; indexingId: string },
  terms: Iterable<string>,
): Promise<void> {
  await sendBatches(Array.from(terms, term => ({ DeleteRequest: { Key: termKey(botId, term, fileId, indexingId) } })));
}

/**
 * The postings of a term, newest files first: one page of DynamoDB (1 MB, about 8,000 files). Read eventually
 * consistently at half the price: what was indexed within the last second may be missing.
 */
export async function findPostings(botId: string, term: string): Promise<TermPostings[]> {
  const { items } = await queryPage({
    ...inPartition(termPk(botId, term)),
    ProjectionExpression: 'sk, n, p',
    // File ids rise with time.
    ScanIndexForward: false,
  });
  return items.map(item => {
    const { sk, n, p } = TermItem.parse(item);
    return { ...splitTermSk(sk), passages: n, encoded: p };
  });
}
