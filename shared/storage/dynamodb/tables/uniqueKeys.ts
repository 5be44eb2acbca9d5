/**
 * Unique keys: one entry per value of a column, pointing to the row that last claimed the value. An entry counts only
 * while its row exists and still has the value; otherwise the next writer takes it over. Rows are therefore changed and
 * deleted without touching entries, and the stream consumer removes the stale ones.
 *
 * A row claims a value in one transaction with its entry, on condition that the entry is the one that was read. Every
 * write gives the entry a new revision, so it cannot be replaced unnoticed.
 */

import { hashText, randomText } from '#shared/core/ids.ts';
import { uniqueKeyKey } from '#shared/storage/dynamodb/keys/tables.ts';
import { readItems } from '#shared/storage/dynamodb/query.ts';
import { tryWrite, type Write } from '#shared/storage/dynamodb/transaction.ts';

export interface UniqueKey {
  rowId: number;
  revision: string;
}

const keyOf = (botId: string, tableId: string, column: string, value: string) =>
  uniqueKeyKey(botId, tableId, column, hashText(value));

/** The entries of values, in the order of the values. */
export async function findUniqueKeys(
  botId: string,
  tableId: string,
  column: string,
  values: readonly string[],
): Promise<(UniqueKey | undefined)[]> {
  const items = await readItems(values.map(value => keyOf(botId, tableId, column, value)));
  return items.map(item => item && { rowId: item.rowId, revision: item.mark });
}

/** Points the entry of a value to a row. @param seen the entry as it was read, if there was one */
export const claimUniqueKey = (
  botId: string,
  tableId: string,
  column: string,
  value: string,
  rowId: number,
  seen: UniqueKey | undefined,
  onRefused: (existing: Record<string, unknown> | undefined) => Error,
): Write => ({
  put: {
    Item: { ...keyOf(botId, tableId, column, value), rowId, mark: randomText(8) },
    ...(seen
      ? { ConditionExpression: 'mark = :mark', ExpressionAttributeValues: { ':mark': seen.revision } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused,
});

/** Removes the entry of a value, unless it was written again since it was read. */
export async function dropUniqueKey(botId: string, tableId: string, column: string, value: string, seen: UniqueKey) {
  await tryWrite({
    remove: {
      Key: keyOf(botId, tableId, column, value),
      ConditionExpression: 'mark = :mark',
      ExpressionAttributeValues: { ':mark': seen.revision },
    },
  });
}
