import * as z from 'zod/mini';

/** The rows a job copies, and how far it got. */
export const DuplicatePlan = z.object({
  sourceId: z.string(),
  /** The last row id when the job was created. */
  lastId: z.number(),
  /** The id of the last row copied. */
  after: z.number(),
  /** Rows not copied because another row of the copy has their key. */
  leftOut: z.number(),
});
export type DuplicatePlan = z.infer<typeof DuplicatePlan>;

export const duplicatePlan = (sourceId: string, lastId: number): DuplicatePlan => ({
  sourceId,
  lastId,
  after: 0,
  leftOut: 0,
});
