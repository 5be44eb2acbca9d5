/**
 * Timers: an item beside the record that it is about, listed by the time at which it fires. The table's stream enqueues
 * a timer that fires soon, and `enqueueUpcomingTimers` finds the others in time; the queue holds them until then.
 * Enqueuing a timer twice does no harm: it fires in a transaction that also removes the item.
 */
import * as z from 'zod/mini';
import { decodeTime } from '#shared/core/ids.ts';
import type { Key } from './keys/table.ts';
import { TIMER_SHARDS, timerKey, timerListing, timerListPk } from './keys/timers.ts';
import { timeRange } from './lists.ts';
import { type Item, queryPage, readItem } from './query.ts';
import { unconditional, type Write, WriteConflict } from './transaction.ts';

export const Timer = z.object({ pk: z.string(), sk: z.string(), dueMs: z.number() });
export type Timer = z.infer<typeof Timer>;

/** Sets the timer of the record with this key, or moves it. @param generation of the record's conversation, if any */
export const setTimer = (about: Key, dueMs: number, generation = 0): Write => {
  const key = timerKey(about);
  return {
    put: { Item: { ...key, about: about.sk, dueMs, g: generation || undefined, ...timerListing(dueMs, key) } },
    onRefused: unconditional,
  };
};

/** Sets the timer of the record with this key, unless it has one. */
export const setTimerIfNone = (about: Key, dueMs: number): Write => {
  const key = timerKey(about);
  const values = { about: about.sk, dueMs, ...timerListing(dueMs, key) };
  const names = Object.keys(values);
  return {
    update: {
      Key: key,
      UpdateExpression: `SET ${names.map(name => `${name} = if_not_exists(${name}, :${name})`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
    },
    onRefused: unconditional,
  };
};

/** Sets the timer of the record with this key, or moves it to an earlier time. Refused when it fires by then. */
export const setTimerBefore = (about: Key, dueMs: number): Write => {
  const key = timerKey(about);
  const values = { about: about.sk, dueMs, ...timerListing(dueMs, key) };
  return {
    update: {
      Key: key,
      UpdateExpression: `SET ${Object.keys(values)
        .map(name => `${name} = :${name}`)
        .join(', ')}`,
      ConditionExpression: 'attribute_not_exists(dueMs) OR dueMs > :dueMs',
      ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
    },
    onRefused: () => new WriteConflict(),
  };
};

export const removeTimer = (about: Key): Write => ({ remove: { Key: timerKey(about) }, onRefused: unconditional });

/** Removes a timer as it fires. Refused with {@link WriteConflict} when it has fired already or was moved. */
export const consumeTimer = ({ pk, sk, dueMs }: Timer): Write => ({
  remove: { Key: { pk, sk }, ConditionExpression: 'dueMs = :due', ExpressionAttributeValues: { ':due': dueMs } },
  onRefused: () => new WriteConflict(),
});

/** Moves a timer as it fires, to fire again. Refused like {@link consumeTimer}. */
export const moveTimer = ({ pk, sk, dueMs }: Timer, nextMs: number): Write => ({
  update: {
    Key: { pk, sk },
    UpdateExpression: 'SET dueMs = :next, gsi1Sk = :gsi1Sk',
    ConditionExpression: 'dueMs = :due',
    ExpressionAttributeValues: { ':next': nextMs, ':gsi1Sk': timerListing(nextMs, { pk, sk }).gsi1Sk, ':due': dueMs },
  },
  onRefused: () => new WriteConflict(),
});

/** The timer's item as it is now: moved, perhaps, or gone. */
export async function findTimer({ pk, sk }: Timer): Promise<{ dueMs: number; item: Item } | undefined> {
  const item = await readItem({ pk, sk });
  return item && { dueMs: Timer.parse(item).dueMs, item };
}

/** Parts of a write without the removal of this timer, for a transaction that consumes it already. */
export const withoutRemovalOf = ({ pk, sk }: Timer, writes: readonly Write[]): Write[] =>
  writes.filter(each => !('remove' in each && each.remove.Key.pk === pk && each.remove.Key.sk === sk));

/**
 * All timers that fire up to a time, a page of all shards at once, earliest first within each shard. Timers span
 * tenants: one query of each shard finds all.
 */
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

/** Timers that one query finds: of all shards, a few seconds' worth of sending. */
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
