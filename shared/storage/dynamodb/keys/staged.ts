/**
 * Keys of staged objects, whose records are not written yet. They span tenants, so that one sweep finds all of them.
 *
 * | access pattern                     | index | pk             | sk                 |
 * |------------------------------------|-------|----------------|--------------------|
 * | object whose record is not written | table | staged#<shard> | <the object's key> |
 */
import { shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

export const stagedPartitions = { staged: ['staged#*'] } as const satisfies Partitions;

export const STAGED_SHARDS = 8;

export const stagedPk = (shard: number) => `staged#${shard}`;

export const stagedKey = (object: string): Key => ({ pk: stagedPk(shardOf(object, STAGED_SHARDS)), sk: object });
