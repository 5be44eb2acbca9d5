/** New rows and their ids. A repeated call gives each row the id it had before, so none is created twice. */
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { allocateIds } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { isLogged } from '#shared/storage/dynamodb/tables/tables.ts';
import { newRow, sizeFault } from './newRow.ts';
import type { CheckedRow, RowsOutcome, TableContext } from './outcome.ts';
import { requireRoomForRows } from './quota.ts';

/** A new row, and its index among the rows of the call. */
export interface NumberedRow {
  index: number;
  row: Row;
}

/** New rows without ids. A row that is too large is reported and left out. */
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

/**
 * Rows with their ids, and the revision under which the table's log will name them, if it was reserved with the ids.
 */
export interface Numbered {
  rows: NumberedRow[];
  revision?: number | undefined;
}

/** @throws ApiError QuotaExceeded */
export async function assignIds({ bot, table }: TableContext, rows: readonly NumberedRow[]): Promise<Numbered> {
  if (rows.length === 0) return { rows: [] };
  await requireRoomForRows(bot, rows.length * table.factor);
  const { lastId, revision } = await allocateIds(bot.id, table.id, rows.length, await isLogged(bot.id, table));
  const firstId = lastId - rows.length + 1;
  return { rows: rows.map(({ index, row }, i) => ({ index, row: { ...row, id: firstId + i } })), revision };
}

/**
 * Assigns ids to rows that are not written together with the call's answer. The ids are kept for a repeated call,
 * wherever the first one ended.
 * @returns `mayExist` when the call is a repetition, and some of its rows may have been written
 * @throws ApiError QuotaExceeded
 */
export async function assignIdsOnce(
  context: TableContext,
  rows: readonly NumberedRow[],
): Promise<Numbered & { mayExist: boolean }> {
  if (!context.keepOnce || rows.length === 0) return { ...(await assignIds(context, rows)), mayExist: false };
  const { value: ids, isRepeated } = await context.keepOnce(async () =>
    (await assignIds(context, rows)).rows.map(({ index, row }): [number, number] => [index, row.id]),
  );
  const idOf = new Map(ids);
  const known = rows.flatMap(({ index, row }) => {
    const id = idOf.get(index);
    return id === undefined ? [] : [{ index, row: { ...row, id } }];
  });
  // Rows that were not new the first time: since then the table changed, or the row they would have updated was
  // deleted.
  const others = await assignIds(
    context,
    rows.filter(({ index }) => !idOf.has(index)),
  );
  return { rows: [...known, ...others.rows], mayExist: isRepeated };
}

/** Splits rows into those already written, as they are by now, and those still to write. */
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
