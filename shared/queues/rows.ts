/** Jobs of the queue of rows: something of them is to be computed or indexed, or they are to be found no more. */
import * as z from 'zod/mini';
import { environment } from '#shared/environment.ts';
import { enqueue } from './queue.ts';

/** What is to be done follows from the rows as they are then: also for those that are gone by then. */
export const RowJob = z.object({ botId: z.string(), tableId: z.string(), ids: z.array(z.number()) });
export type RowJob = z.infer<typeof RowJob>;

const ROWS_OF_A_JOB = 100;

/** Has rows of a table looked at. */
export async function requestRows({ botId, tableId, ids }: RowJob): Promise<void> {
  const wanted = [...new Set(ids)];
  for (let i = 0; i < wanted.length; i += ROWS_OF_A_JOB) {
    await enqueue(environment.rowQueueUrl, { botId, tableId, ids: wanted.slice(i, i + ROWS_OF_A_JOB) });
  }
}
