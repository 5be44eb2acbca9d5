/** Counts that bots name themselves (`trackAnalytics`): one item per bot and day, with a number per name. */
import * as z from 'zod/mini';
import { ApiError } from '#shared/core/errors.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { customAnalyticsKey } from '#shared/storage/dynamodb/keys/workspace.ts';

/** 100 names of 200 characters take up to 60 KB of an item. */
const NAMES_LIMIT = 100;

const Counts = z.record(z.string(), z.number());

const tooManyNames = () =>
  new ApiError(
    'LimitExceeded',
    `A day can have at most ${NAMES_LIMIT} names. Use fewer, such as one per kind of event.`,
    {
      metadata: { limitEntries: NAMES_LIMIT },
    },
  );

/** @throws ApiError LimitExceeded for a new name beyond the limit. The write conflicts with the first of the day. */
export async function addCustomCount(botId: string, day: string, name: string, count: number): Promise<Write> {
  const Key = customAnalyticsKey(botId, day);
  const item = await readItem(Key);
  if (!item) {
    return {
      put: { Item: { ...Key, custom: { [name]: count } }, ConditionExpression: 'attribute_not_exists(pk)' },
      onRefused: () => new WriteConflict(),
    };
  }
  const counts = Counts.parse(item.custom);
  if (!Object.hasOwn(counts, name) && Object.keys(counts).length >= NAMES_LIMIT) throw tooManyNames();
  return {
    update: {
      Key,
      UpdateExpression: 'ADD custom.#name :count',
      ConditionExpression: 'attribute_exists(custom.#name) OR size(custom) < :limit',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':count': count, ':limit': NAMES_LIMIT },
    },
    // The item was deleted with the bot, or concurrent calls reached the limit.
    onRefused: () => new WriteConflict(),
  };
}
