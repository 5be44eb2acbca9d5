import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { randomText } from '#shared/core/ids.ts';
import { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import { type Destination, destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';

const destination = {
  botId: z.string(),
  webhookId: z.optional(z.string()),
};

export const DeliveryJob = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), ...destination, eventId: z.string() }),
  /** Pending events of a paused conversation, from a position. */
  z.object({ kind: z.literal('drain'), ...destination, conversationId: z.string(), firstPosition: z.string() }),
  z.object({
    kind: z.literal('hook'),
    botId: z.string(),
    hook: z.enum(['register', 'unregister', 'ping']),
    /** The bot's endpoint, or that of an installed integration. */
    url: z.optional(z.string()),
    installation: z.optional(Installation),
    /** Version of the bot that caused the call. */
    version: z.number(),
  }),
  /** Delivers the messages and events that arrived while a bot had no endpoint. */
  z.object({
    kind: z.literal('catchUp'),
    botId: z.string(),
    version: z.number(),
    sinceMs: z.number(),
    phase: z.enum(['messages', 'events']),
    after: z.optional(z.string()),
  }),
  /** Account at the provider, from an integration's response to a webhook. */
  z.object({ kind: z.literal('identifier'), botId: z.string(), webhookId: z.string(), identifier: z.string() }),
]);
export type DeliveryJob = z.infer<typeof DeliveryJob>;

export type CatchUpJob = Omit<Extract<DeliveryJob, { kind: 'catchUp' }>, 'kind'>;
export type ResumeJob = Omit<Extract<DeliveryJob, { kind: 'drain' }>, 'kind'>;

export const conversationGroup = (destination: Destination, conversationId: string) =>
  `${destination}#${conversationId}`;

export const enqueueIdentifier = (job: { botId: string; webhookId: string; identifier: string }): Promise<void> =>
  enqueueDelivery(
    { kind: 'identifier', ...job },
    { group: `${destinationOf(job.botId, job.webhookId)}#identifier`, once: `identifier#${randomText(16)}` },
  );

/** Has its own group, so that it delays no delivery. */
export const enqueueCatchUp = (job: CatchUpJob): Promise<void> =>
  enqueueDelivery(
    { kind: 'catchUp', ...job },
    { group: `${job.botId}#catchUp`, once: `catchUp#${job.botId}#${job.version}#${job.phase}#${job.after ?? ''}` },
  );

/** Never deduplicated. */
export const enqueueResume = (job: ResumeJob): Promise<void> =>
  enqueueDelivery(
    { kind: 'drain', ...job },
    {
      group: conversationGroup(destinationOf(job.botId, job.webhookId), job.conversationId),
      once: `drain#${randomText(16)}`,
    },
  );

/** @param group the jobs to keep in order, usually a conversation */
export async function enqueueDelivery(
  job: DeliveryJob,
  { group, once }: { group: string; once: string },
): Promise<void> {
  // Imported lazily, because most deliveries succeed and enqueue nothing.
  const { enqueueInOrder } = await import('./queue.ts');
  await enqueueInOrder(environment.deliveryQueueUrl, job, { group, once });
}
