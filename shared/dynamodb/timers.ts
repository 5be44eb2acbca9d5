/**
 * What is to happen at a time: an item beside what it is about, listed by when it is due. The table's stream tells of it at
 * once, and `events/lookAhead.ts` finds what is due later; both put it on a queue that holds it until its time. Looking
 * twice does no harm: whoever finds it due does it in a transaction that also takes the item away.
 */
import * as z from 'zod/mini';
import { DUE_SHARDS, dueKey, dueListing, dueListPk, type Key } from './keys.ts';
import { indexList, timeRange } from './lists.ts';
import { unconditional, type Write, WriteConflict } from './transaction.ts';

export const Due = z.object({ pk: z.string(), sk: z.string(), dueMs: z.number() });
export type Due = z.infer<typeof Due>;

/** Sets when something with this key is due, or sets it anew. @param generation of the conversation it belongs to, if any */
export const setDue = (about: Key, dueMs: number, generation = 0): Write => {
  const key = dueKey(about);
  return {
    put: { Item: { ...key, about: about.sk, dueMs, g: generation || undefined, ...dueListing(dueMs, key) } },
    refused: unconditional,
  };
};

export const removeDue = (about: Key): Write => ({ remove: { Key: dueKey(about) }, refused: unconditional });

/** Takes away what is being done now. Refused when it is done already, or was set anew. */
export const takeDue = ({ pk, sk, dueMs }: Due): Write => ({
  remove: { Key: { pk, sk }, ConditionExpression: 'dueMs = :due', ExpressionAttributeValues: { ':due': dueMs } },
  refused: () => new WriteConflict(),
});

/** Everything that is due until a time, soonest first within each part of the list. */
export async function* listDue(untilMs: number): AsyncGenerator<Due> {
  for (let shard = 0; shard < DUE_SHARDS; shard++) {
    const range = { direction: 'asc' as const, ...timeRange(undefined, untilMs) };
    for await (const { item } of indexList('lists', dueListPk(shard), range)) yield Due.parse(item);
  }
}
