/**
 * Which row has a value in a column: an entry for each value, which leads to the row that last took it. It is true only as
 * long as the row is there and still has the value; whoever finds that it has not may take the value over. So rows are
 * deleted and changed without touching entries, and old ones go when the stream tells of it.
 *
 * A row gets a value of a unique column in one transaction with its entry, on condition that the entry is the one that was
 * seen: every time one is written it gets a new mark, so an entry that was looked at cannot become another one unnoticed.
 */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { documents } from '#shared/dynamodb/client.ts';
import { uniqueKeyKey } from '#shared/dynamodb/keys/tables.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';
import { hashText, randomText } from '#shared/ids.ts';

export interface UniqueKey {
  rowId: number;
  mark: string;
}

const keyOf = (botId: string, tableId: string, column: string, value: string) =>
  uniqueKeyKey(botId, tableId, column, hashText(value));

/** The entries of values, in their order. */
export async function findUniqueKeys(
  botId: string,
  tableId: string,
  column: string,
  values: readonly string[],
): Promise<(UniqueKey | undefined)[]> {
  const items = await readItems(values.map(value => keyOf(botId, tableId, column, value)));
  return items.map(item => item && { rowId: item.rowId, mark: item.mark });
}

/** Gives a value to a row. @param seen the entry that is not true any more, if there was one */
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
      ? { ConditionExpression: 'mark = :mark', ExpressionAttributeValues: { ':mark': seen.mark } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused,
});

/** Removes the entry of a value that a row had, unless it is another's by now. */
export async function dropUniqueKey(botId: string, tableId: string, column: string, value: string, claim: UniqueKey) {
  await documents
    .send(
      new DeleteCommand({
        TableName: environment.tableName,
        Key: keyOf(botId, tableId, column, value),
        ConditionExpression: 'mark = :mark',
        ExpressionAttributeValues: { ':mark': claim.mark },
      }),
    )
    .catch(error => {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
    });
}
