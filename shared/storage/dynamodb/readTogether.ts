/** Reads of several items as one. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { documents } from './client.ts';
import type { Key } from './keys/table.ts';
import type { Item } from './query.ts';
import { WriteConflict } from './transaction.ts';

/**
 * Items by key, as they were at one moment, in the order of the keys; undefined for a missing item. It costs twice the
 * read units of `readItems`, which may find one item as it was before a write and another as it is after it: whoever
 * computes all of them anew and writes them on the condition that one is unchanged would undo that write.
 * @param keys 2 to 100
 * @throws WriteConflict while one of them is being written
 */
export async function readTogether(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const gets = keys.map(Key => ({ Get: { TableName: environment.tableName, Key } }));
  try {
    const { Responses = [] } = await documents.send(new TransactGetCommand({ TransactItems: gets }));
    return keys.map((_, i) => Responses[i]?.Item);
  } catch (error) {
    throw error instanceof TransactionCanceledException ? new WriteConflict() : error;
  }
}
