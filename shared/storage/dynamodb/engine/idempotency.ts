/** Responses to calls with an `Idempotency-Key`, and values for repeated calls. Kept for 24 hours. */
import * as z from 'zod/mini';
import { onceKey } from '#shared/storage/dynamodb/keys/idempotency.ts';
import { type StoredValue, storedValue } from './largeValue.ts';
import { type Item, readItem } from './query.ts';
import { type Write, write } from './transaction.ts';

const TTL_SECONDS = 24 * 3600;

export const StoredResponse = z.object({
  requestHash: z.string(),
  status: z.number(),
  ...storedValue,
  ttl: z.number(),
});
export type StoredResponse = z.infer<typeof StoredResponse>;

export async function findStoredResponse(
  botId: string,
  keyHash: string,
  nowMs: number,
): Promise<StoredResponse | undefined> {
  const item = await findStored(botId, keyHash, nowMs);
  return item && StoredResponse.parse(item);
}

async function findStored(botId: string, hash: string, nowMs: number): Promise<Item | undefined> {
  const item = await readItem(onceKey(botId, hash));
  // DynamoDB deletes expired items with a delay.
  return item && item.ttl > nowMs / 1000 ? item : undefined;
}

export const putStoredResponse = (
  botId: string,
  keyHash: string,
  { requestHash, status, body, nowMs }: { requestHash: string; status: number; body: StoredValue; nowMs: number },
  onRefused: Write['onRefused'],
): Write => putOnce(botId, keyHash, { requestHash, status, ...body }, nowMs, onRefused);

const putOnce = (
  botId: string,
  keyHash: string,
  kept: Record<string, unknown>,
  nowMs: number,
  onRefused: Write['onRefused'],
): Write => ({
  put: {
    Item: { ...onceKey(botId, keyHash), ...kept, ttl: Math.floor(nowMs / 1000) + TTL_SECONDS },
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1000) },
  },
  onRefused,
});

const StoredOnce = z.object({ value: z.string() });

/** Returns the value stored under a hash, or creates and stores it. One of several concurrent values is kept. */
export async function keepValue<Value>(
  botId: string,
  hash: string,
  nowMs: number,
  make: () => Promise<Value>,
): Promise<{ value: Value; isRepeated: boolean }> {
  const before = await findStored(botId, hash, nowMs);
  if (before) return { value: JSON.parse(StoredOnce.parse(before).value), isRepeated: true };
  const value = await make();
  try {
    await write([
      putOnce(botId, hash, { value: JSON.stringify(value) }, nowMs, existing => new StoredByOther(existing)),
    ]);
  } catch (error) {
    if (error instanceof StoredByOther) return { value: JSON.parse(error.text), isRepeated: true };
    throw error;
  }
  return { value, isRepeated: false };
}

class StoredByOther extends Error {
  readonly text: string;
  constructor(existing: unknown) {
    super();
    this.text = StoredOnce.parse(existing).value;
  }
}
