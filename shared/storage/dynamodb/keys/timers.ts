/**
 * Keys of timers. Their list spans tenants, for a single query.
 *
 * | access pattern         | index | pk              | sk                    |
 * |------------------------|-------|-----------------|-----------------------|
 * | timer of a record      | table | as the record's | due#<the record's sk> |
 * | timers, earliest first | gsi1  | due#<shard>     | <time>#<pk>#<sk>      |
 */
import { encodeTime, shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

export const timerPartitions = { timers: ['due#*'] } as const satisfies Partitions;

export const TIMER_SHARDS = 16;

export const timerListPk = (shard: number) => `due#${shard}`;

/** Sharded, because an index partition takes 1,000 writes per second. */
export const timerListing = (dueMs: number, { pk, sk }: Key) => ({
  gsiPk: timerListPk(shardOf(pk, TIMER_SHARDS)),
  gsi1Sk: `${encodeTime(dueMs)}#${pk}#${sk}`,
});

export const timerPrefix = 'due#';

export const timerKey = ({ pk, sk }: Key): Key => ({ pk, sk: `${timerPrefix}${sk}` });
