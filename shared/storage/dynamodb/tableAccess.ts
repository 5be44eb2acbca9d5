/**
 * Table access that a declaration requests, by domain (`keys/partitions.ts`). The function's role grants no other
 * partition.
 */
import type { Domain } from './keys/partitions.ts';

export interface TableAccess {
  /** Reads, and condition checks in transactions. */
  reads?: readonly Domain[];
  /** Reads, writes and deletes with `table: 'writes'`; reads with `table: 'reads'`. */
  writes?: readonly Domain[];
  /** Writes without reads or deletes. */
  appends?: readonly Domain[];
}
