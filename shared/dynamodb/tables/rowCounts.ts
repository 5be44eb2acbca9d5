/**
 * Counts a table's rows, and those of its bot's workspace, when the stream tells of them: each change once, however often
 * and in however many pieces it is told, and without a writer ever waiting for another's count.
 *
 * The records of one part of the rows come in the order of its writes, so the counter remembers for each part up to which
 * it is counted, and moves that on in the same transaction. (The numbers of records are of many digits; padded, they sort.)
 */
import * as z from 'zod/mini';
import type { BotRef } from '#shared/dynamodb/files/files.ts';
import { tableCountsKey } from '#shared/dynamodb/keys/tables.ts';
import { readItem } from '#shared/dynamodb/query.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { changeTotals } from '#shared/dynamodb/workspace/botTotals.ts';
import { ApiError } from '#shared/errors.ts';
import type { Counts, Table } from './tables.ts';

/** What one record of the stream adds to the counts. */
export interface Counted extends Counts {
  part: number;
  sequenceNumber: string;
}

const Stored = z.looseObject({ rows: z.number(), stale: z.number(), indexing: z.number(), factor: z.number() });
const sortable = (sequenceNumber: string) => sequenceNumber.padStart(48, '0');
/** Up to which record a part is counted. */
const markOf = (part: number) => `to${part}`;

/** @param changes in the order of the stream, within each part */
export async function countRows(
  home: BotRef,
  tableId: string,
  changes: readonly Counted[],
  nowMs: number,
): Promise<void> {
  await retryConflicts(async () => {
    const item = await readItem(tableCountsKey(home.id, tableId));
    // The table is gone, and with it what was counted of it.
    if (!item) return;
    const counts = Stored.parse(item);
    const fresh = changes.filter(
      ({ part, sequenceNumber }) => sortable(sequenceNumber) > String(counts[markOf(part)] ?? ''),
    );
    if (fresh.length === 0) return;
    const sum = (of: keyof Counts) => fresh.reduce((total, change) => total + change[of], 0);
    const rows = sum('rows');
    try {
      await write([
        moveOn(home.id, tableId, counts, fresh, { rows, stale: sum('stale'), indexing: sum('indexing') }),
        ...(await changeTotals(home, { rows: rows * counts.factor }, nowMs)),
      ]);
    } catch (error) {
      // The bot is being deleted: nobody is counted for.
      if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error;
    }
  });
}

function moveOn(
  botId: string,
  tableId: string,
  counts: z.infer<typeof Stored>,
  fresh: readonly Counted[],
  sums: Counts,
): Write {
  const marks = new Map(fresh.map(({ part, sequenceNumber }) => [markOf(part), sortable(sequenceNumber)]));
  const names = [...marks.keys()];
  return {
    update: {
      Key: tableCountsKey(botId, tableId),
      UpdateExpression: `SET ${names.map((_, i) => `#m${i} = :m${i}`).join(', ')} ADD #rows :rows, stale :stale, indexing :indexing`,
      ConditionExpression: [
        'factor = :factor',
        ...names.map((name, i) => (counts[name] === undefined ? `attribute_not_exists(#m${i})` : `#m${i} = :s${i}`)),
      ].join(' AND '),
      ExpressionAttributeNames: {
        '#rows': 'rows',
        ...Object.fromEntries(names.map((name, i) => [`#m${i}`, name])),
      },
      ExpressionAttributeValues: {
        ':rows': sums.rows,
        ':stale': sums.stale,
        ':indexing': sums.indexing,
        ':factor': counts.factor,
        ...Object.fromEntries(names.map((name, i) => [`:m${i}`, marks.get(name)])),
        ...Object.fromEntries(
          names.flatMap((name, i) => (counts[name] === undefined ? [] : [[`:s${i}`, counts[name]]])),
        ),
      },
    },
    onRefused: () => new WriteConflict(),
  };
}

/** Counts a table's rows by another factor. */
export async function changeFactor(home: BotRef, table: Table, factor: number, nowMs: number): Promise<Write[]> {
  const { rows } = Stored.parse(await readItem(tableCountsKey(home.id, table.id)));
  return [
    {
      update: {
        Key: tableCountsKey(home.id, table.id),
        UpdateExpression: 'SET factor = :factor',
        ConditionExpression: '#rows = :rows',
        ExpressionAttributeNames: { '#rows': 'rows' },
        ExpressionAttributeValues: { ':factor': factor, ':rows': rows },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(await changeTotals(home, { rows: rows * (factor - table.factor) }, nowMs)),
  ];
}

/** Takes back all that was counted of a table, with its end. */
export async function removeCounts(home: BotRef, tableId: string, nowMs: number): Promise<Write[]> {
  const item = await readItem(tableCountsKey(home.id, tableId));
  if (!item) return [];
  const { rows, factor } = Stored.parse(item);
  return [
    {
      remove: {
        Key: tableCountsKey(home.id, tableId),
        ConditionExpression: '#rows = :rows AND factor = :factor',
        ExpressionAttributeNames: { '#rows': 'rows' },
        ExpressionAttributeValues: { ':rows': rows, ':factor': factor },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(await changeTotals(home, { rows: -rows * factor }, nowMs)),
  ];
}
