/** The part of the table that a declaration claims, in domains of `keys/partitions.ts`. The function's role allows no other partition. */
import type { Domain } from './keys/partitions.ts';

export interface TableAccess {
  /** Read, and checked by conditions of transactions. */
  reads?: readonly Domain[];
  /** Read, written and deleted from, by a function that declares `table: 'writes'`; read by one that declares `reads`. */
  writes?: readonly Domain[];
  /** Written but neither read nor deleted from. */
  appends?: readonly Domain[];
}
