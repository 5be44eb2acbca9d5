/** What is left to be deleted by a job. */
import * as z from 'zod/mini';
import type { Column } from '#shared/dynamodb/tables/column.ts';

export const DeletePlan = z.object({
  /** JSON text, as keys that begin with a dollar sign came. */
  filter: z.string(),
  /** By id and name, as the filter knows them. */
  columns: z.array(z.tuple([z.string(), z.string()])),
  /** Ids, both included. */
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
