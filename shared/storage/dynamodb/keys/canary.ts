/**
 * The key of the canary: what it chats with. It belongs to no tenant.
 *
 * | access pattern       | index | pk     | sk     |
 * |----------------------|-------|--------|--------|
 * | the canary's webhook | table | canary | canary |
 */
import type { Key, Partitions } from './table.ts';

export const canaryPartitions = { canary: ['canary'] } as const satisfies Partitions;

export const canaryKey: Key = { pk: 'canary', sk: 'canary' };
