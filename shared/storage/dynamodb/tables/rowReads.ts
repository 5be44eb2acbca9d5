/** Reads rows by id or id range, across partitions (`keys/tables.ts`) that are sorted by id. */
import { type AttributeValue, BatchGetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { environment } from '#shared/core/environment.ts';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { idsOfPart, PART_RUN, rowKey, rowPartsUpTo, rowSk, rowsPk } from '#shared/storage/dynamodb/keys/tables.ts';
import { mergeSorted } from '#shared/storage/dynamodb/lists/mergeSorted.ts';
import { COLUMN, parseMarshalledRow, ROW, type Row } from './row.ts';

const GET_BATCH = 100;
const CONCURRENT_GETS = 8;

export async function findRows(botId: string, tableId: string, ids: readonly number[]): Promise<(Row | undefined)[]> {
  const found = new Map<number, Row>();
  await mapConcurrently(chunksOf([...new Set(ids)], GET_BATCH), CONCURRENT_GETS, async chunk => {
    let Keys: Record<string, AttributeValue>[] = chunk.map(id => marshalledKey(rowKey(botId, tableId, id)));
    while (Keys.length > 0) {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [environment.tableName]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[environment.tableName] ?? []) {
        const row = parseMarshalledRow(item);
        found.set(row.id, row);
      }
      Keys = UnprocessedKeys?.[environment.tableName]?.Keys ?? [];
    }
  });
  return ids.map(id => found.get(id));
}
const marshalledKey = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

export interface ScanOptions {
  /** Column ids, or all if undefined. Rows with selected columns have no cells. */
  columns?: readonly string[] | undefined;
  from: number;
  to: number;
  direction: 'asc' | 'desc';
  /** Rows per call. By default, as many as fit into DynamoDB's megabyte. */
  pageSize?: number | undefined;
  /** Ends the scan early without an error. The caller must check the signal. */
  signal?: AbortSignal | undefined;
}

/** Reading a megabyte is slow locally and under throttling. */
const PAGE_TIMEOUT_MS = 20_000;
/** Parsing is the bottleneck, so reading more partitions concurrently gains nothing. */
const CONCURRENT_PARTS = 8;

/** Visits rows in arbitrary order, with a page of several partitions in memory, until `visit` returns true. */
export async function visitRows(
  botId: string,
  tableId: string,
  lastId: number,
  options: ScanOptions,
  visit: (row: Row) => boolean | undefined | Promise<boolean>,
): Promise<void> {
  let isDone = false;
  await mapConcurrently(rowPartsUpTo(Math.min(lastId, options.to)), CONCURRENT_PARTS, async part => {
    if (isDone) return;
    for await (const page of readPart(botId, tableId, part, options)) {
      for (const row of page) {
        if (isDone) return;
        const visited = visit(row);
        // Awaiting a promise per row would take longer than the visit.
        if (visited === true || (typeof visited === 'object' && (await visited))) isDone = true;
      }
      if (isDone) return;
    }
  });
}

export async function* rowsInOrder(
  botId: string,
  tableId: string,
  lastId: number,
  options: ScanOptions,
): AsyncGenerator<Row> {
  const { direction, pageSize } = options;
  const isBefore = direction === 'asc' ? (a: Row, b: Row) => a.id < b.id : (a: Row, b: Row) => a.id > b.id;
  const parts = rowPartsUpTo(Math.min(lastId, options.to));
  const groups = [[parts[0]!], parts.slice(1)].filter(group => group.length > 0);
  if (direction === 'desc') groups.reverse();
  for (const group of groups) {
    // A partition has its share of consecutive ids, and at most one more run.
    const share = pageSize && Math.ceil(pageSize / group.length) + PART_RUN;
    const perPart = group.length === 1 ? pageSize : share;
    const sources = group.map(part => readPart(botId, tableId, part, { ...options, pageSize: perPart }));
    yield* mergeSorted(sources, isBefore);
  }
}

/** Ids per query, because DynamoDB Local scans the rest of a range for each page. Doubles while no rows are found. */
const WINDOW_IDS = 65_536;

async function* readPart(botId: string, tableId: string, part: number, options: ScanOptions): AsyncGenerator<Row[]> {
  const { first, last } = idsOfPart(part);
  const isAscending = options.direction === 'asc';
  let from = Math.max(first, options.from);
  let to = Math.min(last, options.to);
  let window = WINDOW_IDS;
  while (from <= to && !options.signal?.aborted) {
    const range = isAscending
      ? { from, to: Math.min(to, from + window - 1) }
      : { from: Math.max(from, to - window + 1), to };
    let isEmpty = true;
    for await (const page of readRange(botId, tableId, part, { ...options, ...range })) {
      isEmpty = false;
      yield page;
    }
    window = isEmpty ? window * 2 : WINDOW_IDS;
    if (isAscending) from = range.to + 1;
    else to = range.from - 1;
  }
}

async function* readRange(
  botId: string,
  tableId: string,
  part: number,
  { columns, from, to, direction, pageSize, signal }: ScanOptions,
): AsyncGenerator<Row[]> {
  const names = columns && [ROW.createdAtMs, ROW.updatedAtMs, ...columns.map(column => `${COLUMN}${column}`)];
  let after: Record<string, AttributeValue> | undefined;
  do {
    const page = new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': { S: rowsPk(botId, tableId, part) },
        ':from': { S: rowSk(from) },
        ':to': { S: rowSk(to) },
      },
      ...(names
        ? {
            ProjectionExpression: ['sk', ...names.map((_, i) => `#${i}`)].join(', '),
            ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
          }
        : {}),
      ConsistentRead: true,
      ScanIndexForward: direction === 'asc',
      Limit: pageSize,
      ExclusiveStartKey: after,
    });
    const answer = await client
      .send(page, { requestTimeout: PAGE_TIMEOUT_MS, ...(signal ? { abortSignal: signal } : {}) })
      .catch(error => {
        if (signal?.aborted) return undefined;
        throw error;
      });
    if (answer?.Items?.length) yield answer.Items.map(parseMarshalledRow);
    after = answer?.LastEvaluatedKey;
  } while (after && !signal?.aborted);
}
