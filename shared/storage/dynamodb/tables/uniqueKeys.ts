/**
 * An entry per value points to the row that claimed it last, and only counts while that row has the value. Rows are
 * therefore written without their entries, and a stream consumer deletes stale entries. Every write changes the
 * revision of an entry, on which claims depend.
 */

import { hashText, randomText } from '#shared/core/ids.ts';
import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { uniqueKeyKey } from '#shared/storage/dynamodb/keys/tables.ts';

export interface UniqueKey {
  rowId: number;
  revision: string;
}

const keyOf = (botId: string, tableId: string, column: string, value: string) =>
  uniqueKeyKey(botId, tableId, column, hashText(value));

export async function findUniqueKeys(
  botId: string,
  tableId: string,
  column: string,
  values: readonly string[],
): Promise<(UniqueKey | undefined)[]> {
  const items = await readItems(values.map(value => keyOf(botId, tableId, column, value)));
  return items.map(item => item && { rowId: item.rowId, revision: item.mark });
}

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

export async function dropUniqueKey(botId: string, tableId: string, column: string, value: string, seen: UniqueKey) {
  await tryWrite({
    remove: {
      Key: keyOf(botId, tableId, column, value),
      ConditionExpression: 'mark = :mark',
      ExpressionAttributeValues: { ':mark': seen.revision },
    },
  });
}
