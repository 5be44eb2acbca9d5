/** Counts each stream record of rows once: a checkpoint per partition advances in the same transaction. */
import * as z from 'zod/mini';
import { ApiError } from '#shared/core/errors.ts';
import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import { changeTotals } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { sortableSequence } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tableCountsKey } from '#shared/storage/dynamodb/keys/tables.ts';
import type { Counts, Table } from './tables.ts';

export interface CountedChange extends Counts {
  part: number;
  sequenceNumber: string;
}

const Stored = z.looseObject({ rows: z.number(), stale: z.number(), indexing: z.number(), factor: z.number() });
const checkpointOf = (part: number) => `to${part}`;

/** @param changes of one table, in stream order within each partition */
export async function countRows(
  bot: BotRef,
  tableId: string,
  changes: readonly CountedChange[],
  nowMs: number,
): Promise<void> {
  await retryConflicts(async () => {
    const item = await readItem(tableCountsKey(bot.id, tableId));
    // The table and its counts were deleted.
    if (!item) return;
    const counts = Stored.parse(item);
    const fresh = changes.filter(
      ({ part, sequenceNumber }) => sortableSequence(sequenceNumber) > String(counts[checkpointOf(part)] ?? ''),
    );
    if (fresh.length === 0) return;
    const sum = (of: keyof Counts) => fresh.reduce((total, change) => total + change[of], 0);
    const rows = sum('rows');
    try {
      await write([
        advanceCounts(bot.id, tableId, counts, fresh, { rows, stale: sum('stale'), indexing: sum('indexing') }),
        ...(await changeTotals(bot, { rows: rows * counts.factor }, nowMs)),
      ]);
    } catch (error) {
      // The bot and its totals are being deleted.
      if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error;
    }
  });
}

/** Returns true if the change or a later one was counted, or the table was deleted. */
export async function isRowChangeCounted(
  botId: string,
  tableId: string,
  { part, sequenceNumber }: CountedChange,
): Promise<boolean> {
  const item = await readItem(tableCountsKey(botId, tableId));
  return !item || sortableSequence(sequenceNumber) <= String(item[checkpointOf(part)] ?? '');
}

/** Counts a change after later changes were counted, regardless of the checkpoint. `done` makes it idempotent. */
export async function countRowLate(
  bot: BotRef,
  tableId: string,
  { rows, stale, indexing }: CountedChange,
  done: Write,
  nowMs: number,
): Promise<void> {
  await retryConflicts(async () => {
    const item = await readItem(tableCountsKey(bot.id, tableId));
    if (!item) return write([done]);
    const counts = Stored.parse(item);
    const totals = await changeTotals(bot, { rows: rows * counts.factor }, nowMs);
    return write([advanceCounts(bot.id, tableId, counts, [], { rows, stale, indexing }), ...totals, done]);
  });
}

function advanceCounts(
  botId: string,
  tableId: string,
  counts: z.infer<typeof Stored>,
  fresh: readonly CountedChange[],
  sums: Counts,
): Write {
  const checkpoints = new Map(
    fresh.map(({ part, sequenceNumber }) => [checkpointOf(part), sortableSequence(sequenceNumber)]),
  );
  const names = [...checkpoints.keys()];
  return {
    update: {
      Key: tableCountsKey(botId, tableId),
      UpdateExpression: `${names.length > 0 ? 'SET ' : ''}${names.map((_, i) => `#m${i} = :m${i}`).join(', ')} ADD #rows :rows, stale :stale, indexing :indexing`,
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
        ...Object.fromEntries(names.map((name, i) => [`:m${i}`, checkpoints.get(name)])),
        ...Object.fromEntries(
          names.flatMap((name, i) => (counts[name] === undefined ? [] : [[`:s${i}`, counts[name]]])),
        ),
      },
    },
    onRefused: () => new WriteConflict(),
  };
}

/** Changes the factor of a table's rows. Fails with {@link WriteConflict} after a concurrent count. */
export async function changeFactor(bot: BotRef, table: Table, factor: number, nowMs: number): Promise<Write[]> {
  const { rows } = Stored.parse(await readItem(tableCountsKey(bot.id, table.id)));
  return [
    {
      update: {
        Key: tableCountsKey(bot.id, table.id),
        UpdateExpression: 'SET factor = :factor',
        ConditionExpression: '#rows = :rows',
        ExpressionAttributeNames: { '#rows': 'rows' },
        ExpressionAttributeValues: { ':factor': factor, ':rows': rows },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(await changeTotals(bot, { rows: rows * (factor - table.factor) }, nowMs)),
  ];
}

/** Reverts a deleted table's counts. Fails with {@link WriteConflict} after a concurrent count. */
export async function removeCounts(bot: BotRef, tableId: string, nowMs: number): Promise<Write[]> {
  const item = await readItem(tableCountsKey(bot.id, tableId));
  if (!item) return [];
  const { rows, factor } = Stored.parse(item);
  return [
    {
      remove: {
        Key: tableCountsKey(bot.id, tableId),
        ConditionExpression: '#rows = :rows AND factor = :factor',
        ExpressionAttributeNames: { '#rows': 'rows' },
        ExpressionAttributeValues: { ':rows': rows, ':factor': factor },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(await changeTotals(bot, { rows: -rows * factor }, nowMs)),
  ];
}
