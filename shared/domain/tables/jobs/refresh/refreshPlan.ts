import * as z from 'zod/mini';

/** The rows a job refreshes, and how far it got. */
export const RefreshPlan = z.object({
  /** The ids of columns to compute again. */
  columns: z.array(z.string()),
  /** Rows are to be indexed again. */
  isIndexed: z.boolean(),
  /** The last row id when the table changed. */
  lastId: z.number(),
  /** The id of the last row refreshed. */
  after: z.number(),
});
export type RefreshPlan = z.infer<typeof RefreshPlan>;
