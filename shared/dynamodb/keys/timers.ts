import { encodeTime, shardOf } from '#shared/ids.ts';
import type { Key } from './table.ts';

export const TIMER_SHARDS = 16;

export const timerListPk = (shard: number) => `due#${shard}`;

/** What the item that waits for its time carries; it is `later#…` or `due#…`, beside what it is about. */
export const timerListing = (dueMs: number, { pk, sk }: Key) => ({
  gsiPk: timerListPk(shardOf(pk, TIMER_SHARDS)),
  gsi1Sk: `${encodeTime(dueMs)}#${pk}#${sk}`,
});

export const timerPrefix = 'due#';

/** The marker that something with this key is due some time. */
export const timerKey = ({ pk, sk }: Key): Key => ({ pk, sk: `${timerPrefix}${sk}` });
