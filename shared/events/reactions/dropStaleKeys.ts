/** Deletes unique-key entries of values that rows no longer have: see `dynamodb/tables/uniqueKeys.ts`. */
import { mapConcurrently } from '#shared/core/concurrency.ts';
import type { TableRowChanges } from '#shared/storage/dynamodb/tables/rowChanges.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { dropUniqueKey, findUniqueKeys } from '#shared/storage/dynamodb/tables/uniqueKeys.ts';

const AT_ONCE = 16;

export async function dropStaleKeys(table: Table, { botId, tableId, changes }: TableRowChanges): Promise<void> {
  const column = table.keyColumn;
  if (column === undefined) return;
  const stale = changes.flatMap(({ id, before, after }) => {
    const value = before?.values[column];
    return value === undefined || value === after?.values[column] ? [] : [{ id, value }];
  });
  if (stale.length === 0) return;
  const entries = await findUniqueKeys(
    botId,
    tableId,
    column,
    stale.map(({ value }) => value),
  );
  // Read after the entries: a row that claims its value again changes the entry's revision.
  const rows = await findRows(
    botId,
    tableId,
    stale.map(({ id }) => id),
  );
  await mapConcurrently(stale, AT_ONCE, async ({ id, value }, i) => {
    const entry = entries[i];
    if (entry?.rowId === id && rows[i]?.values[column] !== value) {
      await dropUniqueKey(botId, tableId, column, value, entry);
    }
  });
}
