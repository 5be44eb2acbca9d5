/** What a call with an `Idempotency-Key` was answered, and values that it needs again when it is repeated: for 24 hours. */
import * as z from 'zod/mini';
import { onceKey } from '#shared/dynamodb/keys/idempotency.ts';
import type { StoredValue } from '#shared/s3/largeValue.ts';
import { storedValue } from './largeValue.ts';
import { type Item, readItem } from './query.ts';
import { type Write, write } from './transaction.ts';

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
  const item = await findKept(botId, keyHash, nowMs);
  return item && KeptAnswer.parse(item);
}

/** What is kept under a hash. */
async function findKept(botId: string, hash: string, nowMs: number): Promise<Item | undefined> {
  const item = await readItem(onceKey(botId, hash));
  // DynamoDB removes what has expired some time later.
  return item && item.ttl > nowMs / 1000 ? item : undefined;
}

/** Refused when an answer is kept already. */
export const putAnswer = (
  botId: string,
  keyHash: string,
  { requestHash, status, body, nowMs }: { requestHash: string; status: number; body: StoredValue; nowMs: number },
  onRefused: Write['onRefused'],
): Write => putOnce(botId, keyHash, { requestHash, status, ...body }, nowMs, onRefused);

/** Keeps something for 24 hours if there is nothing yet. */
const putOnce = (
  botId: string,
  keyHash: string,
  kept: Record<string, unknown>,
  nowMs: number,
  onRefused: Write['onRefused'],
): Write => ({
  put: {
    Item: { ...onceKey(botId, keyHash), ...kept, ttl: Math.floor(nowMs / 1000) + KEPT_SECONDS },
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1000) },
  },
  onRefused,
});

const KeptValue = z.object({ value: z.string() });

/** The value that is kept under a hash, or the one that is made and kept now. */
export async function keepValue<Value>(
  botId: string,
  hash: string,
  nowMs: number,
  make: () => Promise<Value>,
): Promise<{ value: Value; isRepeated: boolean }> {
  const before = await findKept(botId, hash, nowMs);
  if (before) return { value: JSON.parse(KeptValue.parse(before).value), isRepeated: true };
  const value = await make();
  try {
    await write([putOnce(botId, hash, { value: JSON.stringify(value) }, nowMs, existing => new KeptBefore(existing))]);
  } catch (error) {
    if (error instanceof KeptBefore) return { value: JSON.parse(error.text), isRepeated: true };
    throw error;
  }
  return { value, isRepeated: false };
}

/** A parallel call kept its value first. */
class KeptBefore extends Error {
  readonly text: string;
  constructor(existing: unknown) {
    super();
    this.text = KeptValue.parse(existing).value;
  }
}
