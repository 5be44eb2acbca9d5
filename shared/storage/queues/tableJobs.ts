/** Messages of table jobs. The job itself is an item beside its table. */
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

export const TableJobMessage = z.object({
  botId: z.string(),
  tableId: z.string(),
  position: z.string(),
  /** Completed steps when the message was sent. */
  steps: z._default(z.number(), 0),
});
export type TableJobMessage = z.infer<typeof TableJobMessage>;

export const enqueueTableJob = (message: TableJobMessage, delaySeconds = 0): Promise<void> =>
  enqueue(environment.tableJobQueueUrl, message, { tenant: message.botId, delaySeconds });
