/** Dead letters. Each has an object that contains the change with its images, or the job. */

import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';
import { encodeTime, hashText } from '#shared/core/ids.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  DEAD_LETTER_SHARDS,
  deadLetterKey,
  deadLetterListing,
  deadLetterListPk,
  deadLetterPrefix,
  deadLettersPk,
} from '#shared/storage/dynamodb/keys/deadLetters.ts';
import { type Listed, mergeParts, partitionList, timeRange, withItems } from '#shared/storage/dynamodb/lists/lists.ts';

const DeadLetter = z.object({
  id: z.string(),
  tenant: z.string(),
  consumer: z.string(),
  task: z.string(),
  about: z.optional(z.string()),
  error: z.string(),
  parkedAtMs: z.number(),
  object: z.string(),
  repeatedBy: z.string(),
  repeatedAtMs: z.optional(z.number()),
  failures: z.number(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

const ERROR_LENGTH = 2_000;

/**
 * Returns a deterministic id, so that a redelivered batch stores the dead letter of a failure once. It starts with the
 * time.
 */
export const deadLetterId = (atMs: number, ...parts: string[]) => encodeTime(atMs) + hashText(...parts);

export const parseDeadLetter = (item: Item): DeadLetter => DeadLetter.parse(item);

export const putDeadLetter = (letter: DeadLetter): Write => ({
  put: {
    Item: {
      ...deadLetterKey(letter.tenant, letter.id),
      ...letter,
      error: startOf(letter.error, ERROR_LENGTH),
      ...deadLetterListing(letter.tenant, letter.id),
    },
  },
  onRefused: unconditional,
});

type DeadLetterRef = Pick<DeadLetter, 'tenant' | 'id'>;

/** Requests a retry, which the stream delivers to the consumer. Fails if the record no longer exists. */
export const requestRedrive = ({ tenant, id }: DeadLetterRef, nowMs: number) => ({
  update: {
    Key: deadLetterKey(tenant, id),
    UpdateExpression: 'SET repeatedAtMs = :now',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': nowMs },
  },
});

export const recordRedriveFailure = ({ tenant, id }: DeadLetterRef, error: string) => ({
  update: {
    Key: deadLetterKey(tenant, id),
    UpdateExpression: 'SET #error = :error ADD failures :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#error': 'error' },
    ExpressionAttributeValues: { ':error': startOf(error, ERROR_LENGTH), ':one': 1 },
  },
});

export const removeDeadLetter = ({ tenant, id }: DeadLetterRef): Write => ({
  remove: { Key: deadLetterKey(tenant, id) },
  onRefused: unconditional,
});

export class AlreadyRedriven extends Error {
  override readonly name = 'AlreadyRedriven';
}

/** Deletes the record in the retry's transaction. Fails with {@link AlreadyRedriven} if it no longer exists. */
export const claimDeadLetter = ({ tenant, id }: DeadLetterRef): Write => ({
  remove: { Key: deadLetterKey(tenant, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => new AlreadyRedriven(),
});

export async function findDeadLetter(tenant: string, id: string): Promise<DeadLetter | undefined> {
  const item = await readItem(deadLetterKey(tenant, id));
  return item && DeadLetter.parse(item);
}

export const listDeadLettersOf = (tenant: string, after?: string) =>
  parsed(partitionList(deadLettersPk(tenant), deadLetterPrefix, { ...EVERYTHING, after }));

export const listAllDeadLetters = () => parsed(withItems(mergeParts(allParts, EVERYTHING)));
const EVERYTHING = { direction: 'asc' as const, ...timeRange(undefined, undefined) };
const allParts = Array.from({ length: DEAD_LETTER_SHARDS }, (_, shard) => ({
  index: 'gsi1' as const,
  pk: deadLetterListPk(shard),
}));

async function* parsed(list: AsyncIterable<Listed>): AsyncGenerator<{ sortKey: string; record: DeadLetter }> {
  for await (const { sortKey, item } of list) yield { sortKey, record: DeadLetter.parse(item) };
}
