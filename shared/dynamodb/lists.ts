/**
 * Lists that are split over several partitions, read as one in order. A place in a list is its sort key, which starts with
 * a time and ends with an id: what is inserted or deleted between two pages neither hides nor repeats what stayed.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type BotList, botListPk, LIST_SHARDS } from '#shared/dynamodb/keys/lists.ts';
import { TAG_SHARDS, tagListPk } from '#shared/dynamodb/keys/tags.ts';
import { environment } from '#shared/environment.ts';
import { encodeTime, LAST_MS } from '#shared/ids.ts';
import { documents } from './client.ts';
import type { Item } from './query.ts';

export type Direction = 'asc' | 'desc';

/** Something in a list, and where it stands there. */
export interface Listed {
  sortKey: string;
  item: Item;
}

/** What of a list is wanted: places between these, both included, and only behind `after`. */
export interface Range {
  direction: Direction;
  first: string;
  last: string;
  after?: string | undefined;
}

/** Behind every place that starts alike, where places begin with what we make ourselves. */
export const END = '~';
/** Behind every place at all; it fits into a key. */
export const LAST = '\u{10ffff}'.repeat(230);
/** All that happened between two times, both included. */
export const timeRange = (fromMs: number | undefined, toMs: number | undefined) => ({
  // Nothing is before the first or after the last of all times.
  first: fromMs === undefined ? '' : fromMs > LAST_MS ? END : encodeTime(Math.max(0, fromMs)),
  last: toMs === undefined || toMs > LAST_MS ? END : toMs < 0 ? ' ' : `${encodeTime(toMs)}${END}`,
});

/** Everything that happened until a time. */
export const allUntil = (ms: number): Range => ({ direction: 'asc', ...timeRange(undefined, ms) });

/** One partition of a list, or what in it starts alike: places are what comes behind. */
export interface Part {
  index?: 'gsi1' | 'gsi2';
  pk: string;
  prefix?: string;
}

const SORT_KEYS = { gsi1: 'gsi1Sk', gsi2: 'gsi2Sk' } as const;
/** Few at first from each partition: a page of 20 takes one or two from each of 16. */
const FIRST_FETCH = 4;
const NEXT_FETCH = 20;

/** In DynamoDB's order, which is that of UTF-8; JavaScript's own is that of UTF-16. */
export const isBehind = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;

/** A query of one partition. */
async function fetch({ index, pk, prefix = '' }: Part, { direction, first, last, after }: Range, limit: number) {
  const [partition, sort] = index ? ['gsiPk', SORT_KEYS[index]] : ['pk', 'sk'];
  const from = direction === 'asc' && after !== undefined && isBehind(after, first) ? after : first;
  const to = direction === 'desc' && after !== undefined && isBehind(last, after) ? after : last;
  if (isBehind(from, to)) return { listed: [], isEnd: true };
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      ...(index ? { IndexName: index } : { ConsistentRead: true }),
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#pk': partition, '#sk': sort },
      // A key cannot be empty.
      ExpressionAttributeValues: { ':pk': pk, ':from': `${prefix}${from}` || ' ', ':to': `${prefix}${to}` },
      ScanIndexForward: direction === 'asc',
      // The place behind which it starts may be in this partition.
      Limit: limit + (after === undefined ? 0 : 1),
    }),
  );
  const listed = Items.map(item => ({ sortKey: String(item[sort]).slice(prefix.length), item })).filter(
    ({ sortKey }) => sortKey !== after,
  );
  return { listed, isEnd: !LastEvaluatedKey };
}

/** The parts of a list as one list, read as far as it is asked for. */
export async function* mergeParts(parts: readonly Part[], range: Range): AsyncGenerator<Listed> {
  const heads = parts.map(part => ({ part, listed: [] as Listed[], isEnd: false, after: range.after }));
  const comesFirst = (a: string, b: string) => (range.direction === 'asc' ? isBehind(b, a) : isBehind(a, b));
  for (let size = FIRST_FETCH; ; size = NEXT_FETCH) {
    const empty = heads.filter(({ listed, isEnd }) => listed.length === 0 && !isEnd);
    await Promise.all(
      empty.map(async head => {
        const { listed, isEnd } = await fetch(head.part, { ...range, after: head.after }, size);
        Object.assign(head, { listed, isEnd, after: listed.at(-1)?.sortKey ?? head.after });
      }),
    );
    // Until one that may have more is empty, the first of all heads is the next.
    while (!heads.some(({ listed, isEnd }) => listed.length === 0 && !isEnd)) {
      let best: (typeof heads)[number] | undefined;
      for (const head of heads) {
        const sortKey = head.listed[0]?.sortKey;
        if (sortKey !== undefined && (!best || comesFirst(sortKey, best.listed[0]!.sortKey))) best = head;
      }
      if (!best) return;
      yield best.listed.shift()!;
    }
  }
}

/** A list of a bot, in one of its two orders. @param prefixes only what starts so; of several, all as one list */
export const botList = (
  botId: string,
  list: BotList,
  index: 'gsi1' | 'gsi2',
  range: Range,
  prefixes: readonly string[] = [''],
) =>
  mergeParts(
    prefixes.flatMap(prefix => botListParts(botId, list, index, prefix)),
    range,
  );
/** The parts of a list of a bot. @param index none for the order of the items' own keys */
export const botListParts = (botId: string, list: BotList, index?: 'gsi1' | 'gsi2', prefix = ''): Part[] =>
  Array.from({ length: LIST_SHARDS }, (_, shard) => ({
    ...(index ? { index } : {}),
    pk: botListPk(botId, list, shard),
    prefix,
  }));

/** The entries of the records with a tag, in order of creation; as they are after every write that was answered. */
export const tagList = (botId: string, hash: string, range: Range, shards = allTagShards) =>
  mergeParts(tagListParts(botId, hash, shards), range);
export const tagListParts = (botId: string, hash: string, shards = allTagShards): Part[] =>
  shards.map(shard => ({ pk: tagListPk(botId, hash, shard) }));
const allTagShards = Array.from({ length: TAG_SHARDS }, (_, shard) => shard);

/** What of a partition starts alike, as a list. */
export const partitionList = (pk: string, prefix: string, range: Range) => mergeParts([{ pk, prefix }], range);
/** One partition of an index as a list. */
export const indexList = (index: 'gsi1' | 'gsi2', pk: string, range: Range) => mergeParts([{ index, pk }], range);

/** Several at a time, where what is read of them is cheaper together. */
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

/** What a filter passes over costs reads and shows nothing: a page ends short, with a token, rather than go on for ever. */
const LOOKED_AT = 1_000;

/**
 * A Lambda answers at most 6 MB, in which the body is a JSON string: one quote or backslash of it takes two bytes. So a page
 * ends before its records exceed this.
 */
export const PAGE_BYTES = 2_500_000;

/**
 * A page of what is wanted of a list.
 * @param bytesOf how big a record is that may be big: a page of such is shorter
 * @returns the records, and `next`, behind which the page after starts
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
