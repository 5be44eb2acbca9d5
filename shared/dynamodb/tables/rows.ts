/**
 * Rows of the tables that bots keep. A row's values are attributes of their own, as text, under the ids of their columns:
 * so that a query fetches the columns it needs and no others, and columns are renamed and dropped without touching rows.
 *
 * Ids come from a counter that only grows. Rows stand in parts (`keys.ts`), in order of their ids within each.
 */

import { type AttributeValue, BatchGetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import { sendBatches } from '#shared/dynamodb/batch.ts';
import { client, documents } from '#shared/dynamodb/client.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import {
  idOfRowSk,
  idsOfPart,
  PART_RUN,
  rowKey,
  rowPartsUpTo,
  rowSk,
  rowsPk,
  tableIdsKey,
} from '#shared/dynamodb/keys/tables.ts';
import { asConflict, unconditional, type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';
import { ApiError, notFound } from '#shared/errors.ts';

/** What became of computing the value of a column in a row. */
export interface Cell {
  status: 'pending' | 'completed' | 'failed';
  error?: string;
  updatedBy?: string;
  updatedAtMs?: number;
  /** The id of the workflow that is to compute it. */
  workflow?: string;
}

export interface Row {
  id: number;
  createdAtMs: number;
  updatedAtMs: number;
  /** Counts its changes. */
  version: number;
  /** By the id of the column; null has no entry. See `tables/rowValues.ts`. */
  values: Record<string, string>;
  /** Of computed columns, by their id. */
  cells: Record<string, Cell>;
  /** The ids of columns that wait for a computed value. */
  pending: string[];
  /** Whether it waits to be found by a search as it is now. */
  isUnindexed: boolean;
}

/** The attributes; a column's stand behind a mark, so that no column's is one of these. */
const CREATED = 'c';
const UPDATED = 'u';
const VERSION = 'v';
const CELLS = 'm';
const PENDING = 'q';
const UNINDEXED = 'i';
const COLUMN = '_';

const MAX_ID = 2 ** 31 - 1;

/**
 * New ids, which no row of the table ever had: the last of so many.
 * @throws ApiError ResourceNotFound when the table is gone, QuotaExceeded when there are no more
 */
export async function takeIds(botId: string, tableId: string, count: number): Promise<number> {
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: tableIdsKey(botId, tableId),
        UpdateExpression: 'ADD lastId :count',
        ConditionExpression: 'attribute_exists(pk) AND lastId <= :most',
        ExpressionAttributeValues: { ':count': count, ':most': MAX_ID - count },
        ReturnValues: 'UPDATED_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return Attributes!.lastId;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') {
      if (!('Item' in error) || !error.Item) throw notFound('The table');
      throw new ApiError('QuotaExceeded', `A table has at most ${MAX_ID} rows in its life; this one gave all its ids.`);
    }
    throw asConflict(error);
  }
}

const itemOf = (botId: string, tableId: string, row: Row) => ({
  ...rowKey(botId, tableId, row.id),
  [CREATED]: row.createdAtMs,
  [UPDATED]: row.updatedAtMs,
  [VERSION]: row.version,
  [CELLS]: Object.keys(row.cells).length > 0 ? JSON.stringify(row.cells) : undefined,
  [PENDING]: row.pending.length > 0 ? row.pending.join(',') : undefined,
  [UNINDEXED]: row.isUnindexed ? 1 : undefined,
  ...Object.fromEntries(Object.entries(row.values).map(([column, value]) => [`${COLUMN}${column}`, value])),
});

/** A row out of its plain item. */
export function parseRow(item: Record<string, unknown>): Row {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith(COLUMN)) values[name.slice(COLUMN.length)] = String(value);
  }
  return {
    id: idOfRowSk(String(item.sk)),
    createdAtMs: Number(item[CREATED]),
    updatedAtMs: Number(item[UPDATED]),
    version: Number(item[VERSION]),
    values,
    cells: item[CELLS] === undefined ? {} : JSON.parse(String(item[CELLS])),
    pending: item[PENDING] === undefined ? [] : String(item[PENDING]).split(','),
    isUnindexed: item[UNINDEXED] !== undefined,
  };
}

/** The same without the SDK's detour over plain values, which costs more than everything else when many are read. */
function parseMarshalled(item: Record<string, AttributeValue>): Row {
  const values: Record<string, string> = {};
  for (const name in item) {
    if (name.charCodeAt(0) === COLUMN_CODE) values[name.slice(COLUMN.length)] = item[name]!.S!;
  }
  return {
    id: idOfRowSk(item.sk!.S!),
    createdAtMs: Number(item[CREATED]?.N),
    updatedAtMs: Number(item[UPDATED]?.N),
    version: Number(item[VERSION]?.N),
    values,
    cells: item[CELLS] === undefined ? {} : JSON.parse(item[CELLS].S!),
    pending: item[PENDING] === undefined ? [] : item[PENDING].S!.split(','),
    isUnindexed: item[UNINDEXED] !== undefined,
  };
}
const COLUMN_CODE = COLUMN.charCodeAt(0);

/** A new row, or one that is put anew as a whole. */
export const putRow = (botId: string, tableId: string, row: Row): Write => ({
  put: { Item: itemOf(botId, tableId, row) },
  onRefused: unconditional,
});

/** Puts many rows, each by itself; doing so twice does no harm. */
export async function putRows(botId: string, tableId: string, rows: readonly Row[]): Promise<void> {
  await sendBatches(rows.map(row => ({ PutRequest: { Item: itemOf(botId, tableId, row) } })));
}

/** What changes of a row. */
export interface RowChange {
  /** By the id of the column; null takes the value away. */
  set: Record<string, string | null>;
  cells: Record<string, Cell>;
  pending: string[];
  isUnindexed: boolean;
  /** Columns of a table's past, whose values go with this change. */
  dropped: readonly string[];
  nowMs: number;
}

/**
 * The next version of a row. Whoever lost a race gets a WriteConflict, and computes his change again: what a change leaves
 * to be computed, and how large the row gets, depends on all of it.
 */
export function changeRow(botId: string, tableId: string, before: Row, change: RowChange): { row: Row; write: Write } {
  const values = { ...before.values };
  for (const column of change.dropped) delete values[column];
  for (const [column, value] of Object.entries(change.set)) {
    if (value === null) delete values[column];
    else values[column] = value;
  }
  const row: Row = {
    ...before,
    values,
    cells: change.cells,
    pending: change.pending,
    isUnindexed: change.isUnindexed,
    updatedAtMs: Math.max(change.nowMs, before.updatedAtMs),
    version: before.version + 1,
  };
  const put: Write = {
    put: {
      Item: itemOf(botId, tableId, row),
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: { '#version': VERSION },
      ExpressionAttributeValues: { ':seen': before.version },
    },
    onRefused: () => new WriteConflict(),
  };
  return { row, write: put };
}

/** Says that a row is found by a search as it is, if it still is so. */
export async function markIndexed(botId: string, tableId: string, row: Row): Promise<void> {
  await documents
    .send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: rowKey(botId, tableId, row.id),
        UpdateExpression: 'REMOVE #unindexed',
        ConditionExpression: '#version = :seen',
        ExpressionAttributeNames: { '#unindexed': UNINDEXED, '#version': VERSION },
        ExpressionAttributeValues: { ':seen': row.version },
      }),
    )
    // It changed meanwhile, or is gone: then it is indexed again, or not at all.
    .catch(refusedAsFalse);
}

/** That a condition does not hold is an answer too. @throws everything else */
function refusedAsFalse(error: unknown): false {
  if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
  throw asConflict(error);
}

const DELETES_AT_ONCE = 32;

/** Deletes rows. @returns the ids of those that were there */
export async function removeRows(botId: string, tableId: string, ids: readonly number[]): Promise<number[]> {
  const gone = await mapConcurrently([...new Set(ids)], DELETES_AT_ONCE, async id => {
    const wasThere = await documents
      .send(
        new DeleteCommand({
          TableName: environment.tableName,
          Key: rowKey(botId, tableId, id),
          ConditionExpression: 'attribute_exists(pk)',
        }),
      )
      .then(() => true, refusedAsFalse);
    return wasThere ? [id] : [];
  });
  return gone.flat();
}

const GET_BATCH = 100;
const GETS_AT_ONCE = 8;

/** Rows by their ids, in that order; undefined where there is none. */
export async function findRows(botId: string, tableId: string, ids: readonly number[]): Promise<(Row | undefined)[]> {
  const wanted = [...new Set(ids)];
  const found = new Map<number, Row>();
  await mapConcurrently(chunksOf(wanted, GET_BATCH), GETS_AT_ONCE, async chunk => {
    let Keys: Record<string, AttributeValue>[] = chunk.map(id => marshalledKey(rowKey(botId, tableId, id)));
    while (Keys.length > 0) {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [environment.tableName]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[environment.tableName] ?? []) {
        const row = parseMarshalled(item);
        found.set(row.id, row);
      }
      Keys = UnprocessedKeys?.[environment.tableName]?.Keys ?? [];
    }
  });
  return ids.map(id => found.get(id));
}
const marshalledKey = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

/** What of a table's rows is read. */
export interface Reading {
  /** The ids of the columns that are needed; all of the row when left out. */
  columns?: readonly string[] | undefined;
  /** Ids from and to, both included. */
  from: number;
  to: number;
  direction: 'asc' | 'desc';
  /** How many rows a call of DynamoDB reads at most; as many as fit into its megabyte when left out. */
  pageSize?: number | undefined;
  /** Ends the reading when it is aborted, also in the middle of a call, with what came by then; whoever gave it can tell. */
  signal?: AbortSignal | undefined;
}

/** A call that reads a megabyte takes longer than others, on a laptop and where DynamoDB holds it back. */
const PAGE_TIMEOUT_MS = 20_000;
/** Parts that are read at the same time where the order of rows matters not: more of them only wait for each other's parsing. */
const PARTS_AT_ONCE = 8;

/**
 * So many ids are asked for at once: DynamoDB Local looks through all that is left of a range for each page of it. Where
 * there are no rows the stretches grow.
 */
const STRETCH_IDS = 65_536;

/** The rows of one part, a page at a time. A row of which only columns were asked for has no cells. */
async function* readPart(botId: string, tableId: string, part: number, reading: Reading): AsyncGenerator<Row[]> {
  const { first, last } = idsOfPart(part);
  let from = Math.max(first, reading.from);
  let to = Math.min(last, reading.to);
  let stretch = STRETCH_IDS;
  while (from <= to && !reading.signal?.aborted) {
    const range =
      reading.direction === 'asc'
        ? { from, to: Math.min(to, from + stretch - 1) }
        : { from: Math.max(from, to - stretch + 1), to };
    let isEmpty = true;
    for await (const page of readRange(botId, tableId, part, { ...reading, ...range })) {
      isEmpty = false;
      yield page;
    }
    stretch = isEmpty ? stretch * 2 : STRETCH_IDS;
    if (reading.direction === 'asc') from = range.to + 1;
    else to = range.from - 1;
  }
}

async function* readRange(
  botId: string,
  tableId: string,
  part: number,
  { columns, from, to, direction, pageSize, signal }: Reading,
): AsyncGenerator<Row[]> {
  const names = columns && [CREATED, UPDATED, ...columns.map(column => `${COLUMN}${column}`)];
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
    if (answer?.Items?.length) yield answer.Items.map(parseMarshalled);
    after = answer?.LastEvaluatedKey;
  } while (after && !signal?.aborted);
}

/**
 * All rows of a reading, in whatever order they come: several parts are read at the same time, a page of each in memory.
 * @param visit gets each; what it returns true for ends the reading
 */
export async function visitRows(
  botId: string,
  tableId: string,
  lastId: number,
  reading: Reading,
  visit: (row: Row) => boolean | undefined,
): Promise<void> {
  let hasEnded = false;
  await mapConcurrently(rowPartsUpTo(Math.min(lastId, reading.to)), PARTS_AT_ONCE, async part => {
    if (hasEnded) return;
    for await (const page of readPart(botId, tableId, part, reading)) {
      for (const row of page) {
        if (hasEnded) return;
        if (visit(row) === true) hasEnded = true;
      }
      if (hasEnded) return;
    }
  });
}

/** The rows of a reading in the order of their ids, read as far as they are asked for. */
export async function* rowsInOrder(
  botId: string,
  tableId: string,
  lastId: number,
  reading: Reading,
): AsyncGenerator<Row> {
  const parts = rowPartsUpTo(Math.min(lastId, reading.to));
  const groups = [[parts[0]!], parts.slice(1)].filter(group => group.length > 0);
  if (reading.direction === 'desc') groups.reverse();
  for (const group of groups) {
    // Of so many rows in a row each part has its share, and at most one run more.
    const share = reading.pageSize && Math.ceil(reading.pageSize / group.length) + PART_RUN;
    const pageSize = group.length === 1 ? reading.pageSize : share;
    const sources = group.map(part => readPart(botId, tableId, part, { ...reading, pageSize }));
    yield* mergeById(sources, reading.direction);
  }
}

/** Parts whose rows are in order as one. All that are at the end of a page read their next at the same time. */
async function* mergeById(sources: AsyncGenerator<Row[]>[], direction: 'asc' | 'desc'): AsyncGenerator<Row> {
  const heads = sources.map(source => ({ source, page: [] as Row[], at: 0, hasEnded: false }));
  const isFirst = direction === 'asc' ? (a: number, b: number) => a < b : (a: number, b: number) => a > b;
  for (;;) {
    const empty = heads.filter(({ page, at, hasEnded }) => at === page.length && !hasEnded);
    await Promise.all(
      empty.map(async head => {
        const { value, done } = await head.source.next();
        Object.assign(head, { page: value ?? [], at: 0, hasEnded: done === true });
      }),
    );
    for (;;) {
      let best: (typeof heads)[number] | undefined;
      let isWaiting = false;
      for (const head of heads) {
        const row = head.page[head.at];
        if (row && (!best || isFirst(row.id, best.page[best.at]!.id))) best = head;
        if (!row && !head.hasEnded) isWaiting = true;
      }
      if (isWaiting) break;
      if (!best) return;
      yield best.page[best.at++]!;
    }
  }
}
