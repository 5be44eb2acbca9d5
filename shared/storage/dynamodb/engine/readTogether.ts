import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { documents } from './client.ts';
import type { Item } from './query.ts';
import { WriteConflict } from './transaction.ts';

/**
 * Reads up to 100 items as of one moment, at twice the price. Otherwise, a writer that replaces all of them,
 * conditional on only one, could undo a concurrent write.
 * @throws WriteConflict
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
