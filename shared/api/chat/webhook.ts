/** Finds the installation behind the first segment of a chat URL. */
import { cached } from '#shared/core/cache.ts';
import { notFound } from '#shared/core/errors.ts';
import { findWebhook, type Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

/** The time for a changed key or setting to take effect everywhere; 60 s are promised. */
const CACHE_MS = 30_000;
// Absence is not cached: a new webhook works at once.
const findCached = cached(findWebhook, { forMs: CACHE_MS, keepsAbsence: false });

/** @throws ApiError ResourceNotFound when there is no such webhook, or it is not of the chat integration */
export async function webhookOf(webhookId: string): Promise<Webhook> {
  const webhook = await findCached(webhookId);
  if (!webhook?.isChat) throw notFound(`The webhook ${webhookId}`);
  return webhook;
}
