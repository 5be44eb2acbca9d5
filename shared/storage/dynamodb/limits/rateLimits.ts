import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { rateKey } from '#shared/storage/dynamodb/keys/rateLimits.ts';

/** Adds calls to a caller's window and returns the sum. A lost response may count twice, which rate limits tolerate. */
export async function addCalls(
  callerHash: string,
  { window, count, expiresAtSeconds }: { window: number; count: number; expiresAtSeconds: number },
): Promise<number> {
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: environment.tableName,
      Key: rateKey(callerHash, window),
      UpdateExpression: 'SET #ttl = :ttl ADD n :count',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':count': count, ':ttl': expiresAtSeconds },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return Attributes!.n;
}
