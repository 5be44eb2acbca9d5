/**
 * What a consumer could not process, for an operator or a member of the bot to look at and repeat. The item tells what
 * and why; an object beside it holds the change with its images, or the job.
 */
import * as z from 'zod/mini';
import { encodeTime, hashText } from '#shared/core/ids.ts';
import { PARKED_SHARDS, parkedKey, parkedListing, parkedListPk, parkedPk, parkedPrefix } from './keys/parked.ts';
import { type Listed, mergeParts, partitionList, timeRange, withItems } from './lists.ts';
import { type Item, readItem } from './query.ts';
import { unconditional, type Write } from './transaction.ts';

const Parked = z.object({
  id: z.string(),
  /** The bot, integration or workspace that it belongs to; `platform` for what names none. */
  tenant: z.string(),
  consumer: z.string(),
  /** What failed: a reaction of a stream consumer, or the queue of a job. */
  task: z.string(),
  /** The key of the changed item. */
  about: z.optional(z.string()),
  /** The name and message of the error. */
  error: z.string(),
  parkedAtMs: z.number(),
  /** The key of the object. */
  object: z.string(),
  /** The consumer that is to repeat it, and since when. */
  repeatedBy: z.string(),
  repeatedAtMs: z.optional(z.number()),
  /** How often it failed again. */
  failures: z.number(),
});
export type Parked = z.infer<typeof Parked>;

const ERROR_LENGTH = 2_000;

/** An id that the same failure always gets, so that a batch that comes twice parks it once. It starts with the time. */
export const parkedId = (atMs: number, ...parts: string[]) => encodeTime(atMs) + hashText(...parts);

export const parseParked = (item: Item): Parked => Parked.parse(item);

/** Records what is parked; the same failure again replaces the record. */
export const putParked = (parked: Parked): Write => ({
  put: {
    Item: {
      ...parkedKey(parked.tenant, parked.id),
      ...parked,
      error: parked.error.slice(0, ERROR_LENGTH),
      ...parkedListing(parked.tenant, parked.id),
    },
  },
  onRefused: unconditional,
});

type ParkedRef = Pick<Parked, 'tenant' | 'id'>;

/** Asks the consumer to repeat it: the table's stream tells it so. Refused for what is no longer parked. */
export const requestRepetition = ({ tenant, id }: ParkedRef, nowMs: number) => ({
  update: {
    Key: parkedKey(tenant, id),
    UpdateExpression: 'SET repeatedAtMs = :now',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': nowMs },
  },
});

/** Records that a repetition failed. Refused for what is no longer parked. */
export const recordRepeatedFailure = ({ tenant, id }: ParkedRef, error: string) => ({
  update: {
    Key: parkedKey(tenant, id),
    UpdateExpression: 'SET #error = :error ADD failures :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#error': 'error' },
    ExpressionAttributeValues: { ':error': error.slice(0, ERROR_LENGTH), ':one': 1 },
  },
});

export const removeParked = ({ tenant, id }: ParkedRef): Write => ({
  remove: { Key: parkedKey(tenant, id) },
  onRefused: unconditional,
});

/** What is parked has been repeated before. */
export class AlreadyRepeated extends Error {
  override readonly name = 'AlreadyRepeated';
}

/**
 * Removes what is parked together with what repeats it. Refused with {@link AlreadyRepeated} for what is no longer
 * parked.
 */
export const takeParked = ({ tenant, id }: ParkedRef): Write => ({
  remove: { Key: parkedKey(tenant, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => new AlreadyRepeated(),
});

export async function findParked(tenant: string, id: string): Promise<Parked | undefined> {
  const item = await readItem(parkedKey(tenant, id));
  return item && Parked.parse(item);
}

/** What is parked of a tenant, oldest first. @param after the sort key at which the last page ended */
export const listParkedOf = (tenant: string, after?: string) =>
  parsed(partitionList(parkedPk(tenant), parkedPrefix, { ...EVERYTHING, after }));

/** What is parked of all tenants, oldest first. */
export const listAllParked = () => parsed(withItems(mergeParts(allParts, EVERYTHING)));
const EVERYTHING = { direction: 'asc' as const, ...timeRange(undefined, undefined) };
const allParts = Array.from({ length: PARKED_SHARDS }, (_, shard) => ({
  index: 'gsi1' as const,
  pk: parkedListPk(shard),
}));

async function* parsed(list: AsyncIterable<Listed>): AsyncGenerator<{ sortKey: string; record: Parked }> {
  for await (const { sortKey, item } of list) yield { sortKey, record: Parked.parse(item) };
}
