/** From the first segment of a chat URL to the installation it belongs to. */
import { notFound } from '../http/errors.ts';
import { findWebhook, type Webhook } from '../table/webhooks.ts';

/** A changed key or setting takes hold within this time everywhere (at most 60 s are promised). */
const CACHE_MS = 30_000;
const CACHED_WEBHOOKS = 1_000;
const cache = new Map<string, { webhook: Promise<Webhook | undefined>; untilMs: number }>();

/** @throws ApiError ResourceNotFound when there is no such webhook */
export async function webhookOf(webhookId: string): Promise<Webhook> {
  const known = cache.get(webhookId);
  const webhook = await (known && known.untilMs > Date.now() ? known.webhook : look(webhookId));
  if (!webhook) throw notFound(`The webhook ${webhookId}`);
  return webhook;
}

// The promise is cached, so that requests that come together cost one read. Absence and failure are not kept:
// a webhook that was installed just now works at once.
function look(webhookId: string): Promise<Webhook | undefined> {
  const forget = () => {
    if (cache.get(webhookId)?.webhook === webhook) cache.delete(webhookId);
  };
  const webhook = findWebhook(webhookId);
  if (cache.size >= CACHED_WEBHOOKS) cache.clear();
  cache.set(webhookId, { webhook, untilMs: Date.now() + CACHE_MS });
  webhook.then(found => found ?? forget(), forget);
  return webhook;
}
