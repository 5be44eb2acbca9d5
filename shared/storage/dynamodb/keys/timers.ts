/**
 * Keys of timers. The only list that spans tenants: one query finds everything that fires.
 *
 * | access pattern           | index | pk                  | sk                     |
 * |--------------------------|-------|---------------------|------------------------|
 * | timer of a record        | table | as the record's     | due#<the record's sk>  |
 * | timers, earliest first   | gsi1  | due#<shard>         | <time>#<pk>#<sk>       |
 */
import { encodeTime, shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

/** The list; a timer itself lies in the partition of its record. */
export const timerPartitions = { timers: ['due#*'] } as const satisfies Partitions;

export const TIMER_SHARDS = 16;

export const timerListPk = (shard: number) => `due#${shard}`;

/**
 * The index attributes of a timer or a postponed message. Sharded, because an index partition takes 1,000 writes a
 * second.
 */
export const timerListing = (dueMs: number, { pk, sk }: Key) => ({
  gsiPk: timerListPk(shardOf(pk, TIMER_SHARDS)),
  gsi1Sk: `${encodeTime(dueMs)}#${pk}#${sk}`,
});

export const timerPrefix = 'due#';

/** The timer of the record with this key. */
export const timerKey = ({ pk, sk }: Key): Key => ({ pk, sk: `${timerPrefix}${sk}` });
