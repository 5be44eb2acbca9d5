/**
 * Keys of dead letters: changes and jobs that failed on every attempt.
 *
 * | access pattern               | index | pk              | sk            |
 * |------------------------------|-------|-----------------|---------------|
 * | dead letters of a tenant     | table | <tenant>#parked | parked#<id>   |
 * | dead letters, oldest first   | gsi1  | parked#<shard>  | <id>#<tenant> |
 */
import { shardOf } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

export const deadLetterPartitions = { deadLetters: ['*#parked', 'parked#*'] } as const satisfies Partitions;

export const DEAD_LETTER_SHARDS = 4;

export const deadLetterPrefix = 'parked#';

export const deadLettersPk = (tenant: string) => `${tenant}#parked`;

export const deadLetterKey = (tenant: string, id: string): Key => ({
  pk: deadLettersPk(tenant),
  sk: `${deadLetterPrefix}${id}`,
});

export const deadLetterListPk = (shard: number) => `parked#${shard}`;

export const deadLetterListing = (tenant: string, id: string) => ({
  gsiPk: deadLetterListPk(shardOf(id, DEAD_LETTER_SHARDS)),
  gsi1Sk: `${id}#${tenant}`,
});
