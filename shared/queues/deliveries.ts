/** Jobs of the queue of deliveries, in the order in which an endpoint is to be called. */
import * as z from 'zod/mini';
import { Installation } from '#shared/dynamodb/workspace/bots.ts';
import { environment } from '#shared/environment.ts';
import { enqueueInOrder } from './queue.ts';

export const DeliveryJob = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), botId: z.string(), eventId: z.string() }),
  z.object({
    kind: z.literal('hook'),
    botId: z.string(),
    hook: z.enum(['register', 'unregister', 'ping']),
    /** Where to: the bot's endpoint, or that of an integration on it. */
    url: z.string(),
    installation: z.optional(Installation),
    /** Of the bot, when it came to that. */
    version: z.number(),
  }),
]);
export type DeliveryJob = z.infer<typeof DeliveryJob>;

/**
 * @param group of which all jobs are done in order: a conversation
 * @param once the same for what is the same job; twice within five minutes is once
 */
export const enqueueDelivery = (job: DeliveryJob, { group, once }: { group: string; once: string }): Promise<void> =>
  enqueueInOrder(environment.deliveryQueueUrl, job, { group, once });
