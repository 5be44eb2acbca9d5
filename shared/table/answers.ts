/** Kept answers: what a call with an `Idempotency-Key` was answered, for 24 hours. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '../environment.ts';
import type { StoredValue } from '../storage/bigValue.ts';
import { documents } from './client.ts';
import { onceKey } from './keys.ts';
import { storedValue } from './stored.ts';
import type { Write } from './write.ts';

const KEPT_SECONDS = 24 * 3600;

export const KeptAnswer = z.object({
  requestHash: z.string(),
  status: z.number(),
  /** The body, see `bigValue.ts`. */
  ...storedValue,
  ttl: z.number(),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

export async function findAnswer(botId: string, keyHash: string, nowMs: number): Promise<KeptAnswer | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: onceKey(botId, keyHash), ConsistentRead: true }),
  );
  const kept = Item && KeptAnswer.parse(Item);
  // DynamoDB removes what has expired some time later.
  return kept && kept.ttl > nowMs / 1000 ? kept : undefined;
}

/** Refused when an answer is kept already. */
export const putAnswer = (
  botId: string,
  keyHash: string,
  { requestHash, status, body, nowMs }: { requestHash: string; status: number; body: StoredValue; nowMs: number },
  refused: Write['refused'],
): Write => ({
  put: {
    Item: { ...onceKey(botId, keyHash), requestHash, status, ...body, ttl: Math.floor(nowMs / 1000) + KEPT_SECONDS },
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1000) },
  },
  refused,
});
