/** Keyword index: an immutable item per term, file and indexing, with the passages that contain the term. */
import * as z from 'zod/mini';
import { type Aliases, decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { partitionQuery, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { splitTermSk, termKey, termPk } from '#shared/storage/dynamodb/keys/files.ts';

export interface TermPostings {
  fileId: string;
  indexingId: string;
  passages: number;
  encoded: Uint8Array;
}

const POSTINGS = { passages: 'n', encoded: 'p' } as const satisfies Aliases;
const Stored = z.object({ sk: z.string(), n: z.number(), p: z.instanceof(Uint8Array) });

export async function putPostings(
  botId: string,
  { fileId, indexingId }: { fileId: string; indexingId: string },
  postings: Iterable<[term: string, Pick<TermPostings, 'passages' | 'encoded'>]>,
): Promise<void> {
  await sendBatches(
    Array.from(postings, ([term, { passages, encoded }]) => ({
      PutRequest: { Item: { ...termKey(botId, term, fileId, indexingId), ...encode(POSTINGS, { passages, encoded }) } },
    })),
  );
}

export async function removePostings(
  botId: string,
  { fileId, indexingId }: { fileId: string; indexingId: string },
  terms: Iterable<string>,
): Promise<void> {
  await sendBatches(Array.from(terms, term => ({ DeleteRequest: { Key: termKey(botId, term, fileId, indexingId) } })));
}

/** Returns one page (1 MB, about 8,000 files), newest files first. Eventually consistent, at half the price. */
export async function findPostings(botId: string, term: string): Promise<TermPostings[]> {
  const { items } = await queryPage({
    ...partitionQuery(termPk(botId, term)),
    ProjectionExpression: ['sk', ...Object.values(POSTINGS)].join(', '),
    // File ids increase with time.
    ScanIndexForward: false,
  });
  return items.map(item => {
    const { sk, ...postings } = decode(POSTINGS, Stored.parse(item));
    return { ...splitTermSk(sk), ...postings };
  });
}
