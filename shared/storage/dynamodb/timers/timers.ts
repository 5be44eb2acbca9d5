/** Items beside their records. A timer may be enqueued twice: it fires in the transaction that deletes it. */
import * as z from 'zod/mini';
import { decodeTime } from '#shared/core/ids.ts';
import { assign } from '#shared/storage/dynamodb/engine/assign.ts';
import { type Item, queryPage, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { TIMER_SHARDS, timerKey, timerListing, timerListPk } from '#shared/storage/dynamodb/keys/timers.ts';
import { timeRange } from '#shared/storage/dynamodb/lists/lists.ts';

export const Timer = z.object({ pk: z.string(), sk: z.string(), dueMs: z.number() });
export type Timer = z.infer<typeof Timer>;

export const setTimer = (about: Key, dueMs: number, generation = 0): Write => {
  const key = timerKey(about);
  return {
    put: {
      Item: {
        ...key,
        about: about.sk,
        dueMs,
        [GENERATION]: generation || undefined,
        ...timerListing(dueMs, key),
      },
    },
    onRefused: unconditional,
  };
};

export const setTimerIfNone = (about: Key, dueMs: number): Write => {
  const key = timerKey(about);
  const values = Object.entries({ about: about.sk, dueMs, ...timerListing(dueMs, key) });
  return {
    update: {
      Key: key,
      UpdateExpression: `SET ${values.map(([name]) => `${name} = if_not_exists(${name}, :${name})`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
    },
    onRefused: unconditional,
  };
};

/** Sets a timer, or moves it to an earlier time. Fails if the timer is already set to an earlier time. */
export const setTimerBefore = (about: Key, dueMs: number): Write => {
  const key = timerKey(about);
  return {
    update: {
      Key: key,
      ...assign({ about: about.sk, dueMs, ...timerListing(dueMs, key) }),
      ConditionExpression: 'attribute_not_exists(dueMs) OR dueMs > :dueMs',
    },
    onRefused: () => new WriteConflict(),
  };
};

export const removeTimer = (about: Key): Write => ({ remove: { Key: timerKey(about) }, onRefused: unconditional });

/** Deletes a firing timer. Fails with {@link WriteConflict} if it has fired or was moved. */
export const consumeTimer = ({ pk, sk, dueMs }: Timer): Write => ({
  remove: { Key: { pk, sk }, ConditionExpression: 'dueMs = :due', ExpressionAttributeValues: { ':due': dueMs } },
  onRefused: () => new WriteConflict(),
});

/** Moves a recurring timer as it fires. Fails like {@link consumeTimer}. */
export const moveTimer = ({ pk, sk, dueMs }: Timer, nextMs: number): Write => ({
  update: {
    Key: { pk, sk },
    UpdateExpression: 'SET dueMs = :next, gsi1Sk = :gsi1Sk',
    ConditionExpression: 'dueMs = :due',
    ExpressionAttributeValues: { ':next': nextMs, ':gsi1Sk': timerListing(nextMs, { pk, sk }).gsi1Sk, ':due': dueMs },
  },
  onRefused: () => new WriteConflict(),
});

export async function findTimer({ pk, sk }: Timer): Promise<{ dueMs: number; item: Item } | undefined> {
  const item = await readItem({ pk, sk });
  return item && { dueMs: Timer.parse(item).dueMs, item };
}

export const withoutRemovalOf = ({ pk, sk }: Timer, writes: readonly Write[]): Write[] =>
  writes.filter(each => !('remove' in each && each.remove.Key.pk === pk && each.remove.Key.sk === sk));

/** Lists due timers of all tenants in pages, earliest first within each shard. */
export async function* listTimers(untilMs: number): AsyncGenerator<Timer[]> {
  const range = timeRange(undefined, untilMs);
  let shards = Array.from({ length: TIMER_SHARDS }, (_, shard) => ({ shard, after: undefined as Item | undefined }));
  while (shards.length > 0) {
    const pages = await Promise.all(
      shards.map(async ({ shard, after }) => ({ shard, ...(await timersOf(shard, range.last, after)) })),
    );
    yield pages.flatMap(({ timers }) => timers);
    shards = pages.flatMap(({ shard, next }) => (next ? [{ shard, after: next }] : []));
  }
}

/** Per shard. All shards together take a few seconds to enqueue. */
const PAGE = 250;

async function timersOf(shard: number, last: string, after: Item | undefined) {
  const { items, next } = await queryPage({
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsiPk = :pk AND gsi1Sk <= :last',
    ExpressionAttributeValues: { ':pk': timerListPk(shard), ':last': last },
    Limit: PAGE,
    ExclusiveStartKey: after,
  });
  return { timers: items.map(({ pk, sk, gsi1Sk }): Timer => ({ pk, sk, dueMs: decodeTime(gsi1Sk) })), next };
}
