/**
 * Keys of leases for streams and slow calls.
 *
 * | access pattern                          | index | pk          | sk     |
 * |-----------------------------------------|-------|-------------|--------|
 * | open streams or slow calls of a subject | table | open#<hash> | leases |
 */
import type { Key, Partitions } from './table.ts';

const OPEN = 'open#';

export const openWorkPartitions = { openWork: [`${OPEN}*`] } as const satisfies Partitions;

export const openWorkKey = (subjectHash: string): Key => ({ pk: `${OPEN}${subjectHash}`, sk: 'leases' });
