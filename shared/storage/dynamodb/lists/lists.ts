/**
 * Sort keys start with a time and end with an id, so changes between two pages neither hide nor repeat other entries.
 */
import { decodeTime, encodeTime, LAST_MS } from '#shared/core/ids.ts';
import { type Item, queryPage, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type BotList, botListPks } from '#shared/storage/dynamodb/keys/lists.ts';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';
import { type TagList, tagListPks } from '#shared/storage/dynamodb/keys/tags.ts';
import { mergeSorted } from './mergeSorted.ts';

export type Direction = 'asc' | 'desc';
export type Index = keyof typeof TABLE_SHAPE.indexes;

/** An item with its sort key in the list. Index entries only have keys, see {@link withItems}. */
export interface Listed {
  sortKey: string;
  item: Item;
}

export interface Range {
  direction: Direction;
  first: string;
  last: string;
  after?: string | undefined;
}

/** Sorts after every generated sort key. */
export const END = '~';
/** Sorts after every sort key, and fits into a key. */
export const LAST = '\u{10ffff}'.repeat(230);
export const timeRange = (fromMs: number | undefined, toMs: number | undefined) => ({
  first: fromMs === undefined ? '' : fromMs > LAST_MS ? END : encodeTime(Math.max(0, fromMs)),
  last: toMs === undefined || toMs > LAST_MS ? END : toMs < 0 ? ' ' : `${encodeTime(toMs)}${END}`,
});

export const rangeUntil = (ms: number): Range => ({ direction: 'asc', ...timeRange(undefined, ms) });

/** Partition of a list, or its part with a common prefix, which is removed from the sort keys. */
export interface Part {
  index?: Index;
  pk: string;
  prefix?: string;
}

/** Entries of the first and of later queries. */
const FETCH = {
  /** A page of 20 takes one or two entries from each of 16 partitions. */
  ofMany: [4, 20],
  ofOne: [24, 100],
  keysOfOne: [50, 500],
} as const;

/** Compares UTF-8 like DynamoDB. JavaScript compares UTF-16. */
export const isBehind = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;

async function* pagesOf({ index, pk, prefix = '' }: Part, range: Range, isAlone: boolean): AsyncGenerator<Listed[]> {
  const { partitionKey, sortKey: attribute } = index ? TABLE_SHAPE.indexes[index] : TABLE_SHAPE;
  const { direction } = range;
  let { after } = range;
  const [first, next] = FETCH[!isAlone ? 'ofMany' : index ? 'keysOfOne' : 'ofOne'];
  for (let size: number = first; ; size = next) {
    const from = direction === 'asc' && after !== undefined && isBehind(after, range.first) ? after : range.first;
    const to = direction === 'desc' && after !== undefined && isBehind(range.last, after) ? after : range.last;
    // DynamoDB rejects reversed bounds. Such a range is empty.
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

export function mergeParts(parts: readonly Part[], range: Range): AsyncGenerator<Listed> {
  const isBefore: (a: Listed, b: Listed) => boolean =
    range.direction === 'asc' ? (a, b) => isBehind(b.sortKey, a.sortKey) : (a, b) => isBehind(a.sortKey, b.sortKey);
  return mergeSorted(
    parts.map(part => pagesOf(part, range, parts.length === 1)),
    isBefore,
  );
}

const FIRST_ITEMS = 24;
const NEXT_ITEMS = 100;

/** Reads items of index entries. They may have been changed or deleted since: the record is authoritative. */
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

export async function readListed(entries: readonly Listed[]): Promise<Listed[]> {
  const items = await readItems(entries.map(({ item }) => ({ pk: item.pk, sk: item.sk })));
  return entries.flatMap(({ sortKey }, i) => (items[i] ? [{ sortKey, item: items[i] }] : []));
}

/** Lists a bot's records. @param prefixes of sort keys, merged into one list */
export const botList = (botId: string, list: BotList, index: Index, range: Range, prefixes: readonly string[] = ['']) =>
  withItems(botListKeys(botId, list, index, range, prefixes));

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
export const botListParts = (botId: string, list: BotList, index?: Index, prefix = ''): Part[] =>
  botListPks(botId, list).map(pk => ({ ...(index ? { index } : {}), pk, prefix }));

export const shiftBound = (bound: string, byMs: number) =>
  bound === '' || bound === END ? bound : encodeTime(Math.max(0, decodeTime(bound) + byMs));

/**
 * Sorts by current keys. Positions in the list lag behind them by less than `lagMs`. `read` returns undefined to omit
 * an item.
 */
export async function* sortByCurrentKeys<T>(
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
    // No later position has a key before this one.
    const bound = direction === 'asc' ? place : shiftBound(place, lagMs);
    const isReady = (key: string) => isFirst(key, bound);
    const ready = waiting.filter(({ sortKey }) => isReady(sortKey));
    if (ready.length === 0) continue;
    waiting = waiting.filter(({ sortKey }) => !isReady(sortKey));
    yield* ready.sort((one, other) => (isFirst(one.sortKey, other.sortKey) ? -1 : 1));
  }
  yield* waiting.sort((one, other) => (isFirst(one.sortKey, other.sortKey) ? -1 : 1));
}

export const tagList = (list: TagList, range: Range) => distinct(mergeParts(tagListParts(list), range));
export const tagListParts = (list: TagList): Part[] => tagListPks(list).map(pk => ({ pk }));

/** Removes duplicates of entries from before the bot's lists were widened. */
export async function* distinct(list: AsyncIterable<Listed>): AsyncGenerator<Listed> {
  let last: string | undefined;
  for await (const listed of list) {
    if (listed.sortKey !== last) yield listed;
    last = listed.sortKey;
  }
}

export const partitionList = (pk: string, prefix: string, range: Range) => mergeParts([{ pk, prefix }], range);
export const indexKeys = (index: Index, pk: string, range: Range) => mergeParts([{ index, pk }], range);

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

/** Limit on the cost of filtered entries. A page then ends early, with a token. */
const SCAN_LIMIT = 1_000;

/** Lambda responses have at most 6 MB, with a JSON-encoded body in which quotes and backslashes take two bytes. */
export const PAGE_BYTES = 2_500_000;

/** Returns a page, and `next` unless the list ends. `bytesOf` enforces {@link PAGE_BYTES} for large records. */
export async function pageOfList<T>(
  source: AsyncIterable<{ sortKey: string; record: T | undefined }>,
  pageSize: number,
  bytesOf: (record: T) => number = () => 0,
): Promise<{ records: T[]; next?: string }> {
  const records: T[] = [];
  let bytes = 0;
  let scanned = 0;
  let last: string | undefined;
  for await (const { sortKey, record } of source) {
    if (record !== undefined) {
      bytes += bytesOf(record);
      const isFull = records.length === pageSize || (records.length > 0 && bytes > PAGE_BYTES);
      if (isFull) return { records, next: last! };
      records.push(record);
      last = sortKey;
    }
    if (++scanned === SCAN_LIMIT) return { records, next: records.length === pageSize ? last! : sortKey };
  }
  return { records };
}
