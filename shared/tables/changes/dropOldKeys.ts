/** Removes the entries of values that rows of the key column have no more: see `table/rowClaims.ts`. */
import { mapConcurrently } from '#shared/concurrency.ts';
import type { TableRowChanges } from '#shared/dynamodb/tables/changes.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { dropUniqueKey, findUniqueKeys } from '#shared/dynamodb/tables/uniqueKeys.ts';

const AT_ONCE = 16;

export async function dropStaleKeys(table: Table, { botId, tableId, changes }: TableRowChanges): Promise<void> {
  const column = table.keyColumn;
  if (column === undefined) return;
  const old = changes.flatMap(({ id, before, after }) => {
    const value = before?.values[column];
    return value === undefined || value === after?.values[column] ? [] : [{ id, value }];
  });
  if (old.length === 0) return;
  const claims = await findUniqueKeys(
    botId,
    tableId,
    column,
    old.map(({ value }) => value),
  );
  // Read after the entries: a row that takes the value again from now on gives its entry another mark.
  const rows = await findRows(
    botId,
    tableId,
    old.map(({ id }) => id),
  );
  await mapConcurrently(old, AT_ONCE, async ({ id, value }, i) => {
    const claim = claims[i];
    if (claim?.rowId === id && rows[i]?.values[column] !== value) {
      await dropUniqueKey(botId, tableId, column, value, claim);
    }
  });
}
