/** What the queue of jobs carries. */
import * as z from 'zod/mini';
import { environment } from '#shared/environment.ts';
import { enqueue } from './queue.ts';

export const JobMessage = z.object({
  botId: z.string(),
  tableId: z.string(),
  position: z.string(),
  /** How much of the job was done when this was sent. */
  steps: z._default(z.number(), 0),
});
export type JobMessage = z.infer<typeof JobMessage>;

/** @param delaySeconds at most 900 */
export const sendJob = (message: JobMessage, delaySeconds = 0): Promise<void> =>
  enqueue(environment.tableJobQueueUrl, message, delaySeconds);
