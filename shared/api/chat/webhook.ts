/** From the first segment of a chat URL to the installation it belongs to. */

import { cached } from '#shared/cache.ts';
import { findWebhook, type Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import { notFound } from '#shared/errors.ts';

/** A changed key or setting takes hold within this time everywhere (at most 60 s are promised). */
const CACHE_MS = 30_000;
// Absence is not kept: a webhook that was installed just now works at once.
const recall = cached(findWebhook, { forMs: CACHE_MS, keepsAbsence: false });

/** @throws ApiError ResourceNotFound when there is no such webhook */
export async function webhookOf(webhookId: string): Promise<Webhook> {
  const webhook = await recall(webhookId);
  if (!webhook) throw notFound(`The webhook ${webhookId}`);
  return webhook;
}
