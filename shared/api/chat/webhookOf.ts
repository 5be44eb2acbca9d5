import { cached } from '#shared/core/cache.ts';
import { notFound } from '#shared/core/errors.ts';
import { findWebhook, type Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

/** Delay until a changed key or setting takes effect. The documented limit is 60 s. */
const CACHE_MS = 30_000;
const findCached = cached((webhookId: string) => findWebhook(webhookId), { forMs: CACHE_MS, keepsAbsence: false });

/** @throws ApiError ResourceNotFound when the webhook does not exist or belongs to another integration */
export async function webhookOf(webhookId: string): Promise<Webhook> {
  const webhook = await findCached(webhookId);
  if (!webhook?.isChat) throw notFound(`The webhook ${webhookId}`);
  return webhook;
}
