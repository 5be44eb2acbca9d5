/**
 * What is to happen at a time: an item beside what it is about, listed by when it is due. The table's stream tells of it at
 * once, and `events/lookAhead.ts` finds what is due later; both put it on a queue that holds it until its time. Looking
 * twice does no harm: whoever finds it due does it in a transaction that also takes the item away.
 */
import * as z from 'zod/mini';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { TIMER_SHARDS, timerKey, timerListing, timerListPk } from '#shared/dynamodb/keys/timers.ts';
import { indexList, timeRange } from './lists.ts';
import { unconditional, type Write, WriteConflict } from './transaction.ts';

export const Timer = z.object({ pk: z.string(), sk: z.string(), dueMs: z.number() });
export type Timer = z.infer<typeof Timer>;

/** Sets when something with this key is due, or sets it anew. @param generation of the conversation it belongs to, if any */
export const setTimer = (about: Key, dueMs: number, generation = 0): Write => {
  const key = timerKey(about);
  return {
    put: { Item: { ...key, about: about.sk, dueMs, g: generation || undefined, ...timerListing(dueMs, key) } },
    onRefused: unconditional,
  };
};

export const removeTimer = (about: Key): Write => ({ remove: { Key: timerKey(about) }, onRefused: unconditional });

/** Takes away what is being done now. Refused when it is done already, or was set anew. */
export const consumeTimer = ({ pk, sk, dueMs }: Timer): Write => ({
  remove: { Key: { pk, sk }, ConditionExpression: 'dueMs = :due', ExpressionAttributeValues: { ':due': dueMs } },
  onRefused: () => new WriteConflict(),
});

/** Everything that is due until a time, soonest first within each part of the list. */
export async function* listTimers(untilMs: number): AsyncGenerator<Timer> {
  for (let shard = 0; shard < TIMER_SHARDS; shard++) {
    const range = { direction: 'asc' as const, ...timeRange(undefined, untilMs) };
    for await (const { item } of indexList('gsi1', timerListPk(shard), range)) yield Timer.parse(item);
  }
}
