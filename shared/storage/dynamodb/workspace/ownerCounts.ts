/** Counts of an owner's records, for enforcing limits. A missing count is 0, as after an import. */

import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { countKey } from '#shared/storage/dynamodb/keys/workspace.ts';

type Counted = 'tokens' | 'preferences';

/** Counts another record. The write fails at the limit. */
export const countUp = (pk: string, counted: Counted, limit: number, onRefused: Write['onRefused']): Write => ({
  update: {
    Key: countKey(pk, counted),
    UpdateExpression: 'ADD n :one',
    ConditionExpression: 'attribute_not_exists(n) OR n < :limit',
    ExpressionAttributeValues: { ':one': 1, ':limit': limit },
  },
  onRefused,
});

/** Must be in the transaction that removes a record. */
export const countDown = (pk: string, counted: Counted): Write => ({
  update: {
    Key: countKey(pk, counted),
    UpdateExpression: 'ADD n :less',
    ExpressionAttributeValues: { ':less': -1 },
  },
  onRefused: () => new Error('A write without a condition was rejected.'),
});

export async function findCount(pk: string, counted: Counted): Promise<number> {
  return Number((await readItem(countKey(pk, counted)))?.n ?? 0);
}

/** Replaces a count that is too high, for example because records expired. Returns false after a concurrent change. */
export const correctCount = (pk: string, counted: Counted, before: number, after: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: countKey(pk, counted),
      UpdateExpression: 'SET n = :after',
      ConditionExpression: 'n = :before',
      ExpressionAttributeValues: { ':before': before, ':after': after },
    },
  });
