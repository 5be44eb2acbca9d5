import * as z from 'zod/mini';

export const DuplicatePlan = z.object({
  sourceId: z.string(),
  lastId: z.number(),
  after: z.number(),
  /** Rows skipped because another row of the copy has their key. */
  leftOut: z.number(),
});
export type DuplicatePlan = z.infer<typeof DuplicatePlan>;

export const duplicatePlan = (sourceId: string, lastId: number): DuplicatePlan => ({
  sourceId,
  lastId,
  after: 0,
  leftOut: 0,
});
