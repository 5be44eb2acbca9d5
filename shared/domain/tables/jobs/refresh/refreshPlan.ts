import * as z from 'zod/mini';

export const RefreshPlan = z.object({
  columns: z.array(z.string()),
  isIndexed: z.boolean(),
  lastId: z.number(),
  after: z.number(),
});
export type RefreshPlan = z.infer<typeof RefreshPlan>;
