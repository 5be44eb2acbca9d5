import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

/** Rows to compute, index, or remove from the index. The current rows, including deleted ones, determine the work. */
export const RowJob = z.object({ botId: z.string(), tableId: z.string(), ids: z.array(z.number()) });
export type RowJob = z.infer<typeof RowJob>;

const ROWS_PER_JOB = 100;

export async function enqueueRows({ botId, tableId, ids }: RowJob): Promise<void> {
  const distinct = [...new Set(ids)];
  for (let i = 0; i < distinct.length; i += ROWS_PER_JOB) {
    const job = { botId, tableId, ids: distinct.slice(i, i + ROWS_PER_JOB) };
    await enqueue(environment.rowQueueUrl, job, { tenant: botId });
  }
}
