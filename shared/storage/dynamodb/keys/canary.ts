/**
 * Key of the canary's webhook, which belongs to no tenant.
 *
 * | access pattern       | index | pk     | sk     |
 * |----------------------|-------|--------|--------|
 * | the canary's webhook | table | canary | canary |
 */
import type { Key, Partitions } from './table.ts';

export const canaryPartitions = { canary: ['canary'] } as const satisfies Partitions;

export const canaryKey: Key = { pk: 'canary', sk: 'canary' };
