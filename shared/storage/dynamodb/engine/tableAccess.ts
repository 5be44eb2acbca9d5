/** Table access of an operation or consumer, by domain (`keys/partitions.ts`). Its role grants no other partition. */
import type { Domain } from '#shared/storage/dynamodb/keys/partitions.ts';

export interface TableAccess {
  /** Reads, and condition checks in transactions. */
  reads?: readonly Domain[];
  /** Full access with `table: 'writes'`, reads with `table: 'reads'`. */
  writes?: readonly Domain[];
  /** Writes without reads or deletes. */
  appends?: readonly Domain[];
}
