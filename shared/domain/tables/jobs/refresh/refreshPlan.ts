import * as z from 'zod/mini';

export const RefreshPlan = z.object({
  /** Ids of columns to recompute. */
  columns: z.array(z.string()),
  /** True if rows must be reindexed. */
  isIndexed: z.boolean(),
  /** The last row id when the table changed. */
  lastId: z.number(),
  after: z.number(),
});
export type RefreshPlan = z.infer<typeof RefreshPlan>;
