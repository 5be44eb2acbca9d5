/** Passages are immutable. Each indexing has its own, so that search uses a complete set until the next is done. */
import * as z from 'zod/mini';
import { PASSAGE_TYPES, type Passage } from '#shared/core/passage.ts';
import { type Aliases, decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { type Item, prefixQuery, queryAll, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { filePk, passageKey, passagePrefix, passagesPrefix } from '#shared/storage/dynamodb/keys/files.ts';
import { type Direction, partitionList } from '#shared/storage/dynamodb/lists/lists.ts';

const PASSAGE = { content: 'c', type: 't', pageNumber: 'g', breadcrumb: 'b' } as const satisfies Aliases;

const Stored = z.object({
  sk: z.string(),
  c: z.string(),
  t: z.enum(PASSAGE_TYPES),
  g: z.optional(z.number()),
  b: z.optional(z.array(z.string())),
});

export interface NumberedPassage extends Passage {
  number: number;
}

/** Identifies a passage. {@link passageName} is the key of its vector. */
export interface PassageName {
  fileId: string;
  indexingId: string;
  number: number;
}
export const passageName = ({ fileId, indexingId, number }: PassageName) => `${fileId}.${indexingId}.${number}`;
export function parsePassageName(name: string): PassageName {
  const [fileId, indexingId, number] = name.split('.') as [string, string, string];
  return { fileId, indexingId, number: Number(number) };
}

function parse(item: Item): NumberedPassage {
  const { sk, breadcrumb = [], ...passage } = decode(PASSAGE, Stored.parse(item));
  return { number: Number(sk.slice(sk.lastIndexOf('#') + 1)), ...passage, breadcrumb };
}

export async function putPassages(
  botId: string,
  fileId: string,
  indexingId: string,
  passages: readonly Passage[],
): Promise<void> {
  const requests = passages.map(({ content, type, pageNumber, breadcrumb }, number) => ({
    PutRequest: {
      Item: {
        ...passageKey(botId, fileId, indexingId, number),
        ...encode(PASSAGE, {
          content,
          type,
          pageNumber,
          breadcrumb: breadcrumb.length > 0 ? breadcrumb : undefined,
        }),
      },
    },
  }));
  await sendBatches(requests);
}

export async function* allPassages(botId: string, fileId: string, indexingId: string): AsyncGenerator<NumberedPassage> {
  const query = { ...prefixQuery(filePk(botId, fileId), passagePrefix(indexingId)), ConsistentRead: true };
  for await (const item of queryAll(query)) yield parse(item);
}

/** Includes unfinished indexings. */
export async function listIndexings(botId: string, fileId: string): Promise<string[]> {
  const ids: string[] = [];
  const range = (after: string | undefined) => ({ direction: 'asc' as const, first: '', last: '~', after });
  for (;;) {
    // Skips the passages of the previous indexing.
    const after = ids.length === 0 ? undefined : `${ids.at(-1)}#~`;
    const next = await partitionList(filePk(botId, fileId), passagesPrefix, range(after)).next();
    if (next.done) return ids;
    ids.push(next.value.sortKey.slice(0, next.value.sortKey.indexOf('#')));
  }
}

/** Sort keys are passage numbers as text. */
export async function* listPassages(
  botId: string,
  fileId: string,
  indexingId: string,
  { direction, after }: { direction: Direction; after: string | undefined },
): AsyncGenerator<{ sortKey: string; record: NumberedPassage }> {
  const range = { direction, first: '', last: '~', after };
  for await (const { sortKey, item } of partitionList(filePk(botId, fileId), passagePrefix(indexingId), range)) {
    yield { sortKey, record: parse(item) };
  }
}

export async function findPassages(
  botId: string,
  names: readonly PassageName[],
): Promise<Map<string, NumberedPassage>> {
  const items =
    names.length === 0
      ? []
      : await readItems(names.map(({ fileId, indexingId, number }) => passageKey(botId, fileId, indexingId, number)));
  return new Map(items.flatMap((item, i) => (item ? [[passageName(names[i]!), parse(item)]] : [])));
}
