import * as z from 'zod/mini';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

export const DeletePlan = z.object({
  filter: z.string(),
  /** Ids and names as of the job's creation, so a rename does not change the filter. */
  columns: z.array(z.tuple([z.string(), z.string()])),
  from: z.number(),
  to: z.number(),
});
export type DeletePlan = z.infer<typeof DeletePlan>;

export const deletePlan = (
  filter: Record<string, unknown>,
  columns: readonly Column[],
  range: { from: number; to: number },
): DeletePlan => ({
  filter: JSON.stringify(filter),
  columns: columns.map(({ id, name }) => [id, name]),
  ...range,
});
