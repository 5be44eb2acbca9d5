/**
 * Keys of what consumers could not process.
 *
 * | access pattern                  | index | pk               | sk               |
 * |---------------------------------|-------|------------------|------------------|
 * | what is parked of a tenant      | table | <tenant>#parked  | parked#<id>      |
 * | everything parked, oldest first | gsi1  | parked#<shard>   | <id>#<tenant>    |
 */
import { shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

export const parkedPartitions = { parked: ['*#parked', 'parked#*'] } as const satisfies Partitions;

export const PARKED_SHARDS = 4;

export const parkedPrefix = 'parked#';

export const parkedPk = (tenant: string) => `${tenant}#parked`;

/** @param id starts with the time */
export const parkedKey = (tenant: string, id: string): Key => ({ pk: parkedPk(tenant), sk: `${parkedPrefix}${id}` });

export const parkedListPk = (shard: number) => `parked#${shard}`;

/** The index attributes: the list of everything that is parked. */
export const parkedListing = (tenant: string, id: string) => ({
  gsiPk: parkedListPk(shardOf(id, PARKED_SHARDS)),
  gsi1Sk: `${id}#${tenant}`,
});
