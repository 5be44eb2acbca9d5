import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { rateKey } from '#shared/storage/dynamodb/keys/rateLimits.ts';

/** Deducts bytes from a daily budget. May deduct twice after a lost response. Returns false if too few are left. */
export async function takeBytes(
  hash: string,
  {
    day,
    bytes,
    budgetBytes,
    expiresAtSeconds,
  }: { day: number; bytes: number; budgetBytes: number; expiresAtSeconds: number },
): Promise<boolean> {
  if (bytes > budgetBytes) return false;
  return tryWrite({
    update: {
      Key: rateKey(hash, day),
      UpdateExpression: 'SET #ttl = :ttl ADD n :bytes',
      ConditionExpression: 'attribute_not_exists(n) OR n <= :most',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':bytes': bytes, ':most': budgetBytes - bytes, ':ttl': expiresAtSeconds },
    },
  });
}
