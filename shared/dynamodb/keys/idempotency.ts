import { shardOf } from '#shared/ids.ts';
import type { Key } from './table.ts';

/** Kept answers are split likewise, so that they can be found when their tenant goes. */
export const oncePk = (tenant: string, shard: number) => `${tenant}#once#${shard}`;

export const ONCE_SHARDS = 64;

export const onceKey = (tenant: string, hash: string): Key => ({
  pk: oncePk(tenant, shardOf(hash, ONCE_SHARDS)),
  sk: hash,
});
