/** Jobs of the delivery queue: calls to the endpoints of bots and integrations. */
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { randomText } from '#shared/core/ids.ts';
import { Installation } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Lane, laneOf } from '#shared/storage/dynamodb/lanes.ts';
import { enqueueInOrder } from './queue.ts';

const lane = {
  botId: z.string(),
  /** The installation that it goes to; undefined for the bot itself. */
  webhookId: z.optional(z.string()),
};

export const DeliveryJob = z.discriminatedUnion('kind', [
  /** The first attempt at an event. */
  z.object({ kind: z.literal('event'), ...lane, eventId: z.string() }),
  /** What a held conversation waits with, from a position on. */
  z.object({ kind: z.literal('drain'), ...lane, conversationId: z.string(), firstPosition: z.string() }),
  z.object({
    kind: z.literal('hook'),
    botId: z.string(),
    hook: z.enum(['register', 'unregister', 'ping']),
    /** The endpoint of the bot, or of an integration installed on it. */
    url: z.optional(z.string()),
    installation: z.optional(Installation),
    /** The version of the bot that caused the call. */
    version: z.number(),
  }),
  /** The account at its provider that an integration named in the response to a webhook. */
  z.object({ kind: z.literal('identifier'), botId: z.string(), webhookId: z.string(), identifier: z.string() }),
]);
export type DeliveryJob = z.infer<typeof DeliveryJob>;

export type DrainJob = Omit<Extract<DeliveryJob, { kind: 'drain' }>, 'kind'>;

/** The order of a conversation in a lane. */
export const conversationGroup = (lane: Lane, conversationId: string) => `${lane}#${conversationId}`;

/** Sends the identifier of an installation. Those of one installation are applied in order. */
export const enqueueIdentifier = (job: { botId: string; webhookId: string; identifier: string }): Promise<void> =>
  enqueueDelivery(
    { kind: 'identifier', ...job },
    { group: `${laneOf(job.botId, job.webhookId)}#identifier`, once: `identifier#${randomText(16)}` },
  );

/** Each is meant, so none is deduplicated. */
export const enqueueDrain = (job: DrainJob): Promise<void> =>
  enqueueDelivery(
    { kind: 'drain', ...job },
    { group: conversationGroup(laneOf(job.botId, job.webhookId), job.conversationId), once: `drain#${randomText(16)}` },
  );

/** @param group the order that is kept, usually a conversation @param once as in {@link enqueueInOrder} */
export const enqueueDelivery = (job: DeliveryJob, { group, once }: { group: string; once: string }): Promise<void> =>
  enqueueInOrder(environment.deliveryQueueUrl, job, { group, once });
