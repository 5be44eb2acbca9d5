/** New rows and their ids. A repeated call reuses the ids of the first, so no row is created twice. */
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Reservation } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { allocateRows } from './logged.ts';
import { newRow, sizeFault } from './newRow.ts';
import type { CheckedRow, RowsOutcome, TableContext } from './outcome.ts';
import { requireRoomForRows } from './rowQuota.ts';

export interface NumberedRow {
  index: number;
  row: Row;
}

export function buildRows(
  { table, nowMs }: TableContext,
  checked: readonly CheckedRow[],
  outcome: RowsOutcome,
): NumberedRow[] {
  return checked.flatMap(({ index, set }) => {
    const row = newRow(table, set, 0, nowMs);
    const fault = sizeFault(table, row.values);
    if (!fault) return [{ index, row }];
    outcome.errors.push({ index, text: fault });
    return [];
  });
}

export interface Numbered {
  rows: NumberedRow[];
  reserved?: Reservation | undefined;
}

export async function assignIds({ bot, table }: TableContext, rows: readonly NumberedRow[]): Promise<Numbered> {
  if (rows.length === 0) return { rows: [] };
  await requireRoomForRows(bot, rows.length * table.factor);
  const { lastId, reserved } = await allocateRows({ bot, table }, rows.length);
  const firstId = lastId - rows.length + 1;
  return { rows: rows.map(({ index, row }, i) => ({ index, row: { ...row, id: firstId + i } })), reserved };
}

/**
 * Assigns ids to rows that are not written together with the response. A retry of the call gets the same ids.
 * @returns `mayExist` if the call is a retry, so some rows may have been written
 */
export async function assignIdsOnce(
  context: TableContext,
  rows: readonly NumberedRow[],
): Promise<Numbered & { mayExist: boolean }> {
  if (!context.keepOnce || rows.length === 0) return { ...(await assignIds(context, rows)), mayExist: false };
  let reserved: Reservation | undefined;
  const { value: ids, isRepeated } = await context.keepOnce(async () => {
    const assigned = await assignIds(context, rows);
    reserved = assigned.reserved;
    return assigned.rows.map(({ index, row }): [number, number] => [index, row.id]);
  });
  const idOf = new Map(ids);
  const known = rows.flatMap(({ index, row }) => {
    const id = idOf.get(index);
    return id === undefined ? [] : [{ index, row: { ...row, id } }];
  });
  // These rows were not new in the first attempt: the table has changed, or the row to update was deleted.
  const others = await assignIds(
    context,
    rows.filter(({ index }) => !idOf.has(index)),
  );
  // One entry contains all rows, under either revision.
  return { rows: [...known, ...others.rows], mayExist: isRepeated, reserved: reserved ?? others.reserved };
}

/** Splits rows into those already written, in their current state, and those to write. */
export async function splitExisting(
  { bot, table }: TableContext,
  rows: readonly NumberedRow[],
  mayExist: boolean,
): Promise<{ existing: Row[]; missing: readonly NumberedRow[] }> {
  if (!mayExist) return { existing: [], missing: rows };
  const found = await findRows(
    bot.id,
    table.id,
    rows.map(({ row }) => row.id),
  );
  return { existing: found.filter(row => row !== undefined), missing: rows.filter((_, i) => !found[i]) };
}
