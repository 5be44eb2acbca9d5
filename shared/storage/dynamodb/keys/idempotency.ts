/**
 * Keys of stored responses.
 *
 * | access pattern                 | index | pk                    | sk     |
 * |--------------------------------|-------|-----------------------|--------|
 * | response to an Idempotency-Key | table | <tenant>#once#<shard> | <hash> |
 */
import { shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

/** A tenant is a bot, integration, workspace or account. */
export const answerPartitions = { answers: ['*#once#*'] } as const satisfies Partitions;

/** Sharded by hash. Deleting a tenant visits every shard. */
export const oncePk = (tenant: string, shard: number) => `${tenant}#once#${shard}`;

export const ONCE_SHARDS = 64;

export const onceKey = (tenant: string, hash: string): Key => ({
  pk: oncePk(tenant, shardOf(hash, ONCE_SHARDS)),
  sk: hash,
});
