/**
 * Which row has a value in a column: an entry for each value, which leads to the row that last took it. It is true only as
 * long as the row is there and still has the value; whoever finds that it has not may take the value over. So rows are
 * deleted and changed without touching entries, and old ones go when the stream tells of it.
 *
 * A row gets a value of a unique column in one transaction with its entry, on condition that the entry is the one that was
 * seen: every time one is written it gets a new mark, so an entry that was looked at cannot become another one unnoticed.
 */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/environment.ts';
import { documents } from '#shared/dynamodb/client.ts';
import { hashText, randomText } from '#shared/ids.ts';
import { rowClaimKey } from '#shared/dynamodb/keys.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';

export interface Claim {
  rowId: number;
  mark: string;
}

const keyOf = (botId: string, tableId: string, column: string, value: string) =>
  rowClaimKey(botId, tableId, column, hashText(value));

/** The entries of values, in their order. */
export async function findClaims(
  botId: string,
  tableId: string,
  column: string,
  values: readonly string[],
): Promise<(Claim | undefined)[]> {
  const items = await readItems(values.map(value => keyOf(botId, tableId, column, value)));
  return items.map(item => item && { rowId: item.rowId, mark: item.mark });
}

/** Gives a value to a row. @param seen the entry that is not true any more, if there was one */
export const takeValue = (
  botId: string,
  tableId: string,
  column: string,
  value: string,
  rowId: number,
  seen: Claim | undefined,
  refused: (existing: Record<string, unknown> | undefined) => Error,
): Write => ({
  put: {
    Item: { ...keyOf(botId, tableId, column, value), rowId, mark: randomText(8) },
    ...(seen
      ? { ConditionExpression: 'mark = :mark', ExpressionAttributeValues: { ':mark': seen.mark } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  refused,
});

/** Removes the entry of a value that a row had, unless it is another's by now. */
export async function dropClaim(botId: string, tableId: string, column: string, value: string, claim: Claim) {
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
