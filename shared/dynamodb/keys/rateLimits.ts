/**
 * Keys of rate limits.
 *
 * | access pattern                         | index | pk                 | sk       |
 * |----------------------------------------|-------|--------------------|----------|
 * | calls of a caller in a window of time  | table | rate#<hash>        | <window> |
 */
import { type Key, RATE_PREFIX } from './table.ts';

/** @param window counted from 1970 */
export const rateKey = (callerHash: string, window: number): Key => ({
  pk: `${RATE_PREFIX}${callerHash}`,
  sk: String(window),
});
