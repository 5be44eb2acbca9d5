/** Dead letters. The object contains the change with its images, or the job. */

import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';
import { encodeTime, hashText } from '#shared/core/ids.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  PARKED_SHARDS,
  parkedKey,
  parkedListing,
  parkedListPk,
  parkedPk,
  parkedPrefix,
} from '#shared/storage/dynamodb/keys/deadLetters.ts';
import { type Listed, mergeParts, partitionList, timeRange, withItems } from '#shared/storage/dynamodb/lists/lists.ts';

const Parked = z.object({
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
export type Parked = z.infer<typeof Parked>;

const ERROR_LENGTH = 2_000;

/** Returns a deterministic id, so that a redelivered batch parks a failure once. It starts with the time. */
export const parkedId = (atMs: number, ...parts: string[]) => encodeTime(atMs) + hashText(...parts);

export const parseParked = (item: Item): Parked => Parked.parse(item);

export const putParked = (parked: Parked): Write => ({
  put: {
    Item: {
      ...parkedKey(parked.tenant, parked.id),
      ...parked,
      error: startOf(parked.error, ERROR_LENGTH),
      ...parkedListing(parked.tenant, parked.id),
    },
  },
  onRefused: unconditional,
});

type ParkedRef = Pick<Parked, 'tenant' | 'id'>;

/** Requests a retry, which the stream delivers to the consumer. Fails if the record no longer exists. */
export const requestRepetition = ({ tenant, id }: ParkedRef, nowMs: number) => ({
  update: {
    Key: parkedKey(tenant, id),
    UpdateExpression: 'SET repeatedAtMs = :now',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': nowMs },
  },
});

export const recordRepeatedFailure = ({ tenant, id }: ParkedRef, error: string) => ({
  update: {
    Key: parkedKey(tenant, id),
    UpdateExpression: 'SET #error = :error ADD failures :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#error': 'error' },
    ExpressionAttributeValues: { ':error': startOf(error, ERROR_LENGTH), ':one': 1 },
  },
});

export const removeParked = ({ tenant, id }: ParkedRef): Write => ({
  remove: { Key: parkedKey(tenant, id) },
  onRefused: unconditional,
});

export class AlreadyRepeated extends Error {
  override readonly name = 'AlreadyRepeated';
}

/** Deletes the record in the retry's transaction. Fails with {@link AlreadyRepeated} if it no longer exists. */
export const claimParked = ({ tenant, id }: ParkedRef): Write => ({
  remove: { Key: parkedKey(tenant, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => new AlreadyRepeated(),
});

export async function findParked(tenant: string, id: string): Promise<Parked | undefined> {
  const item = await readItem(parkedKey(tenant, id));
  return item && Parked.parse(item);
}

export const listParkedOf = (tenant: string, after?: string) =>
  parsed(partitionList(parkedPk(tenant), parkedPrefix, { ...EVERYTHING, after }));

export const listAllParked = () => parsed(withItems(mergeParts(allParts, EVERYTHING)));
const EVERYTHING = { direction: 'asc' as const, ...timeRange(undefined, undefined) };
const allParts = Array.from({ length: PARKED_SHARDS }, (_, shard) => ({
  index: 'gsi1' as const,
  pk: parkedListPk(shard),
}));

async function* parsed(list: AsyncIterable<Listed>): AsyncGenerator<{ sortKey: string; record: Parked }> {
  for await (const { sortKey, item } of list) yield { sortKey, record: Parked.parse(item) };
}
