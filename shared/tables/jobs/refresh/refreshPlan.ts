/** What of a table's rows is to be made anew. */
import * as z from 'zod/mini';

export const RefreshPlan = z.object({
  /** The ids of columns to be computed. */
  columns: z.array(z.string()),
  /** Whether rows are to be indexed. */
  isIndexed: z.boolean(),
  /** The last row's id when the table changed. */
  lastId: z.number(),
  /** Up to which row it is done. */
  after: z.number(),
});
export type RefreshPlan = z.infer<typeof RefreshPlan>;
