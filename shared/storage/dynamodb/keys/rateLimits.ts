/**
 * Keys of rate limits.
 *
 * | access pattern                        | index | pk          | sk       |
 * |---------------------------------------|-------|-------------|----------|
 * | calls of a caller in a window of time | table | rate#<hash> | <window> |
 */
import type { Key, Partitions } from './table.ts';

const RATE = 'rate#';

export const ratePartitions = { rates: [`${RATE}*`] } as const satisfies Partitions;

export const rateKey = (callerHash: string, window: number): Key => ({
  pk: `${RATE}${callerHash}`,
  sk: String(window),
});
