/** Jobs of the delivery queue: calls to the endpoints of bots and integrations. */
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
    /** The endpoint of the bot, or of an integration installed on it. */
    url: z.string(),
    installation: z.optional(Installation),
    /** The version of the bot that caused the call. */
    version: z.number(),
  }),
]);
export type DeliveryJob = z.infer<typeof DeliveryJob>;

/** @param group the order that is kept, usually a conversation @param once as in {@link enqueueInOrder} */
export const enqueueDelivery = (job: DeliveryJob, { group, once }: { group: string; once: string }): Promise<void> =>
  enqueueInOrder(environment.deliveryQueueUrl, job, { group, once });
