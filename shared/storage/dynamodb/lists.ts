/**
 * Lists that are split over several partitions, read as one in order. An entry's sort key starts with a time and ends
 * with an id, so what is inserted or deleted between two pages neither hides nor repeats what stayed.
 */
import { decodeTime, encodeTime, LAST_MS } from '#shared/core/ids.ts';
import { type BotList, botListPks } from './keys/lists.ts';
import { TABLE_SHAPE } from './keys/table.ts';
import { type TagList, tagListPks } from './keys/tags.ts';
import { mergeSorted } from './mergeSorted.ts';
import { type Item, queryPage, readItems } from './query.ts';

export type Direction = 'asc' | 'desc';
export type Index = keyof typeof TABLE_SHAPE.indexes;

/**
 * An item of a list, and its sort key there. Indexes hold keys only: their entries' items are read by {@link
 * withItems}.
 */
export interface Listed {
  sortKey: string;
  item: Item;
}

/** A section of a list: sort keys from `first` to `last`, both included, and only those behind `after`. */
export interface Range {
  direction: Direction;
  first: string;
  last: string;
  after?: string | undefined;
}

/** Sorts after every sort key that starts with characters of our own. */
export const END = '~';
/** Sorts after every sort key, and fits into a key. */
export const LAST = '\u{10ffff}'.repeat(230);
/** All entries between two times, both included; without a bound, from the first or to the last. */
export const timeRange = (fromMs: number | undefined, toMs: number | undefined) => ({
  first: fromMs === undefined ? '' : fromMs > LAST_MS ? END : encodeTime(Math.max(0, fromMs)),
  last: toMs === undefined || toMs > LAST_MS ? END : toMs < 0 ? ' ' : `${encodeTime(toMs)}${END}`,
});

/** All entries up to a time. */
export const allUntil = (ms: number): Range => ({ direction: 'asc', ...timeRange(undefined, ms) });

/**
 * One partition of a list, or the part of it whose sort keys share a prefix; the entries' sort keys come without it.
 */
export interface Part {
  index?: Index;
  pk: string;
  prefix?: string;
}

/** Entries that a query reads at first, and then. */
const FETCH = {
  /** A page of 20 takes one or two entries from each of 16 partitions. */
  ofMany: [4, 20],
  ofOne: [24, 100],
  /** The keys of an index, of a list that lies in one partition. */
  keysOfOne: [50, 500],
} as const;

/** DynamoDB compares UTF-8; JavaScript's own comparison is that of UTF-16. */
export const isBehind = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;

/** The entries of one part, a query at a time. */
async function* pagesOf({ index, pk, prefix = '' }: Part, range: Range, isAlone: boolean): AsyncGenerator<Listed[]> {
  const { partitionKey, sortKey: attribute } = index ? TABLE_SHAPE.indexes[index] : TABLE_SHAPE;
  const { direction } = range;
  let { after } = range;
  const [first, next] = FETCH[!isAlone ? 'ofMany' : index ? 'keysOfOne' : 'ofOne'];
  for (let size: number = first; ; size = next) {
    const from = direction === 'asc' && after !== undefined && isBehind(after, range.first) ? after : range.first;
    const to = direction === 'desc' && after !== undefined && isBehind(range.last, after) ? after : range.last;
    // DynamoDB rejects a BETWEEN with reversed bounds: such a range holds nothing.
    if (isBehind(from, to)) return;
    const { items, next: more } = await queryPage({
      ...(index ? { IndexName: index } : { ConsistentRead: true }),
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#pk': partitionKey, '#sk': attribute },
      // A key cannot be empty.
      ExpressionAttributeValues: { ':pk': pk, ':from': `${prefix}${from}` || ' ', ':to': `${prefix}${to}` },
      ScanIndexForward: direction === 'asc',
      // The entry at `after` itself may be in this partition.
      Limit: size + (after === undefined ? 0 : 1),
    });
    const page = items
      .map(item => ({ sortKey: String(item[attribute]).slice(prefix.length), item }))
      .filter(({ sortKey }) => sortKey !== after);
    yield page;
    if (!more) return;
    after = page.at(-1)?.sortKey ?? after;
  }
}

/** The parts of a list as one sorted list, read as far as it is consumed. */
export function mergeParts(parts: readonly Part[], range: Range): AsyncGenerator<Listed> {
  const isBefore: (a: Listed, b: Listed) => boolean =
    range.direction === 'asc' ? (a, b) => isBehind(b.sortKey, a.sortKey) : (a, b) => isBehind(a.sortKey, b.sortKey);
  return mergeSorted(
    parts.map(part => pagesOf(part, range, parts.length === 1)),
    isBefore,
  );
}

/** Entries of an index that are read together: at first about as many as a page has. */
const FIRST_ITEMS = 24;
const NEXT_ITEMS = 100;

/**
 * Reads the items of an index's entries, which have keys only. An item that is gone by now is left out, and one that
 * has changed may belong elsewhere in the list: the record has the last word.
 */
export async function* withItems(list: AsyncIterable<Listed>): AsyncGenerator<Listed> {
  let chunk: Listed[] = [];
  let size = FIRST_ITEMS;
  for await (const listed of list) {
    chunk.push(listed);
    if (chunk.length < size) continue;
    yield* await readListed(chunk);
    chunk = [];
    size = NEXT_ITEMS;
  }
  if (chunk.length > 0) yield* await readListed(chunk);
}

async function readListed(chunk: readonly Listed[]): Promise<Listed[]> {
  const items = await readItems(chunk.map(({ item }) => ({ pk: item.pk, sk: item.sk })));
  return chunk.flatMap(({ sortKey }, i) => (items[i] ? [{ sortKey, item: items[i] }] : []));
}

/**
 * A list of a bot, in one of its two orders.
 * @param prefixes only entries that start with one of these, merged into one list
 */
export const botList = (botId: string, list: BotList, index: Index, range: Range, prefixes: readonly string[] = ['']) =>
  withItems(botListKeys(botId, list, index, range, prefixes));

/** The same list, with the keys of the items instead of these. */
export const botListKeys = (
  botId: string,
  list: BotList,
  index: Index,
  range: Range,
  prefixes: readonly string[] = [''],
) =>
  mergeParts(
    prefixes.flatMap(prefix => botListParts(botId, list, index, prefix)),
    range,
  );
/** The parts of a list of a bot. @param index omitted for the order of the items' own keys */
export const botListParts = (botId: string, list: BotList, index?: Index, prefix = ''): Part[] =>
  botListPks(botId, list).map(pk => ({ ...(index ? { index } : {}), pk, prefix }));

/** A bound of a range, moved in time; open bounds stay open. */
export const shifted = (bound: string, byMs: number) =>
  bound === '' || bound === END ? bound : encodeTime(Math.max(0, decodeTime(bound) + byMs));

/**
 * Sorts the items of an index by sort keys of their own, behind which their places trail by less than `lagMs`.
 * @param range of the own sort keys
 * @param read the record of an item with its own sort key; undefined for one that is not listed
 */
export async function* sortedAhead<T>(
  places: AsyncIterable<Listed>,
  { direction, first, last, after }: Range,
  lagMs: number,
  read: (item: Item) => { sortKey: string; record: T } | undefined,
): AsyncGenerator<{ sortKey: string; record: T }> {
  const isFirst = (one: string, other: string) => (direction === 'asc' ? isBehind(other, one) : isBehind(one, other));
  const isInRange = (key: string) =>
    !isBehind(first, key) && !isBehind(key, last) && (after === undefined || isFirst(after, key));
  let waiting: { sortKey: string; record: T }[] = [];
  for await (const { sortKey: place, item } of places) {
    const own = read(item);
    if (own && isInRange(own.sortKey)) waiting.push(own);
    // No later place leads to a key before this one.
    const bound = direction === 'asc' ? place : shifted(place, lagMs);
    const isReady = (key: string) => isFirst(key, bound);
    const ready = waiting.filter(({ sortKey }) => isReady(sortKey));
    if (ready.length === 0) continue;
    waiting = waiting.filter(({ sortKey }) => !isReady(sortKey));
    yield* ready.sort((one, other) => (isFirst(one.sortKey, other.sortKey) ? -1 : 1));
  }
  yield* waiting.sort((one, other) => (isFirst(one.sortKey, other.sortKey) ? -1 : 1));
}

/** The entries of the records with a tag, in order of creation, read consistently. */
export const tagList = (list: TagList, range: Range) => distinct(mergeParts(tagListParts(list), range));
export const tagListParts = (list: TagList): Part[] => tagListPks(list).map(pk => ({ pk }));

/** An entry from before its bot became wide may be there a second time. */
export async function* distinct(list: AsyncIterable<Listed>): AsyncGenerator<Listed> {
  let last: string | undefined;
  for await (const listed of list) {
    if (listed.sortKey !== last) yield listed;
    last = listed.sortKey;
  }
}

/** The items of a partition whose sort keys share a prefix, as a list. */
export const partitionList = (pk: string, prefix: string, range: Range) => mergeParts([{ pk, prefix }], range);
/** One partition of an index as a list of keys. */
export const indexKeys = (index: Index, pk: string, range: Range) => mergeParts([{ index, pk }], range);

/** Groups the items of a source, where reading their records together is cheaper. */
export async function* inChunks<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const each of source) {
    chunk.push(each);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Entries that a filter drops cost reads: after this many, a page ends short with a token rather than scanning on. */
const LOOKED_AT = 1_000;

/**
 * Lambda answers at most 6 MB, with the body as a JSON string in which quotes and backslashes take two bytes: a page
 * ends before its records exceed this size.
 */
export const PAGE_BYTES = 2_500_000;

/**
 * Collects one page of a list.
 * @param bytesOf the size of a record, where records may be large: the page then ends before {@link PAGE_BYTES}
 * @returns the records, and `next`, the sort key after which the next page starts, unless the list ends here
 */
export async function pageOfList<T>(
  source: AsyncIterable<{ sortKey: string; record: T | undefined }>,
  pageSize: number,
  bytesOf: (record: T) => number = () => 0,
): Promise<{ records: T[]; next?: string }> {
  const records: T[] = [];
  let bytes = 0;
  let lookedAt = 0;
  let last: string | undefined;
  for await (const { sortKey, record } of source) {
    if (record !== undefined) {
      bytes += bytesOf(record);
      const isFull = records.length === pageSize || (records.length > 0 && bytes > PAGE_BYTES);
      if (isFull) return { records, next: last! };
      records.push(record);
      last = sortKey;
    }
    if (++lookedAt === LOOKED_AT) return { records, next: records.length === pageSize ? last! : sortKey };
  }
  return { records };
}
