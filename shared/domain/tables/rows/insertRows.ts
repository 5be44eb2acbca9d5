import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { retryConflicts, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Reservation } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { putRow, putRows } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { keyColumnOf, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { claimKey, duplicateKeyText, findHolders } from './keyHolders.ts';
import { logBatch } from './logged.ts';
import type { NumberedRow } from './numberedRows.ts';
import type { RowsOutcome, TableContext } from './outcome.ts';

/** Each row adds the entries of its keys to the transaction. */
const TRANSACTION_ROWS = 25;
const AT_ONCE = 16;

/** Writes rows that have ids. Idempotent. @param reserved revision of the row log, if the rows must be logged */
export async function insertRows(
  context: TableContext,
  rows: readonly NumberedRow[],
  outcome: RowsOutcome,
  reserved?: Reservation,
): Promise<void> {
  const columns = uniqueColumns(context.table);
  if (columns.length === 0) {
    const all = rows.map(({ row }) => row);
    await logBatch(context, idsOf(rows), () => putRows(context.bot.id, context.table.id, all), reserved);
    outcome.rows.push(...all);
    return;
  }
  const { accepted, conflicts } = await insertUnique(context, columns, rows, reserved);
  outcome.rows.push(...accepted);
  outcome.errors.push(...conflicts.map(conflictNote));
}

const idsOf = (rows: readonly NumberedRow[]) => rows.map(({ row }) => row.id);

export const uniqueColumns = (table: Table): Column[] => {
  const column = keyColumnOf(table);
  return column ? [column] : [];
};

/** A row rejected because another row has its value in a unique column. */
interface KeyConflict extends NumberedRow {
  column: Column;
  key: string;
  holder: Row | undefined;
}

export const conflictNote = ({ index, column, key }: KeyConflict) => ({ index, text: duplicateKeyText(column, key) });

export async function insertUnique(
  context: TableContext,
  columns: readonly Column[],
  rows: readonly NumberedRow[],
  reserved?: Reservation,
) {
  const insertGroup = (group: readonly NumberedRow[]) =>
    retryConflicts(async () => {
      const { writes, ...result } = await uniqueInserts(context, columns, group);
      await write(writes);
      return result;
    });
  const insertAll = () => mapConcurrently(chunksOf(rows, TRANSACTION_ROWS), AT_ONCE, insertGroup);
  const results = await logBatch(context, idsOf(rows), insertAll, reserved);
  return {
    accepted: results.flatMap(({ accepted }) => accepted),
    conflicts: results.flatMap(({ conflicts }) => conflicts),
  };
}

export async function uniqueInserts(context: TableContext, columns: readonly Column[], rows: readonly NumberedRow[]) {
  const holders = await Promise.all(
    columns.map(column =>
      findHolders(
        context,
        column,
        rows.map(({ row }) => row.values[column.id]),
      ),
    ),
  );
  const writes: Write[] = [];
  const accepted: Row[] = [];
  const conflicts: KeyConflict[] = [];
  const claimed = new Set<string>();
  rows.forEach(({ index, row }, i) => {
    const keys = columns.flatMap((column, c) => {
      const key = row.values[column.id];
      return key === undefined ? [] : [{ column, key, name: `${c} ${key}`, ...holders[c]![i] }];
    });
    const taken = keys.find(({ name, row: holder }) => claimed.has(name) || (holder && holder.id !== row.id));
    if (taken) {
      conflicts.push({ index, row, column: taken.column, key: taken.key, holder: taken.row });
      return;
    }
    for (const { column, key, name, entry } of keys) {
      claimed.add(name);
      writes.push(claimKey(context, column, key, row.id, entry));
    }
    writes.push(putRow(context.bot.id, context.table.id, row));
    accepted.push(row);
  });
  return { writes, accepted, conflicts };
}
