/** What of a table is to be copied, and how far that is. */
import * as z from 'zod/mini';

export const DuplicatePlan = z.object({
  sourceId: z.string(),
  /** The last row's id when it was asked for. */
  lastId: z.number(),
  /** Up to which row it is done. */
  after: z.number(),
  /** Rows that the copy has no room for: another has the value of its key column. */
  leftOut: z.number(),
});
export type DuplicatePlan = z.infer<typeof DuplicatePlan>;

/** What a new job begins with. */
export const duplicatePlan = (sourceId: string, lastId: number): DuplicatePlan => ({
  sourceId,
  lastId,
  after: 0,
  leftOut: 0,
});
