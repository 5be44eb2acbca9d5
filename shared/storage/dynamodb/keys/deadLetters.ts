/**
 * Keys of parked changes and jobs.
 *
 * | access pattern               | index | pk              | sk            |
 * |------------------------------|-------|-----------------|---------------|
 * | parked records of a tenant   | table | <tenant>#parked | parked#<id>   |
 * | parked records, oldest first | gsi1  | parked#<shard>  | <id>#<tenant> |
 */
import { shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

export const parkedPartitions = { parked: ['*#parked', 'parked#*'] } as const satisfies Partitions;

export const PARKED_SHARDS = 4;

export const parkedPrefix = 'parked#';

export const parkedPk = (tenant: string) => `${tenant}#parked`;

export const parkedKey = (tenant: string, id: string): Key => ({ pk: parkedPk(tenant), sk: `${parkedPrefix}${id}` });

export const parkedListPk = (shard: number) => `parked#${shard}`;

export const parkedListing = (tenant: string, id: string) => ({
  gsiPk: parkedListPk(shardOf(id, PARKED_SHARDS)),
  gsi1Sk: `${id}#${tenant}`,
});
