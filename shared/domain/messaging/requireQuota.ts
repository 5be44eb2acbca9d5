import { ApiError } from '#shared/core/errors.ts';
import { findCurrentWebhook, isExhausted, type PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

export function requireQuota(webhook: PublicWebhook, nowMs: number): void {
  if (isExhausted(webhook, nowMs)) {
    throw new ApiError('QuotaExceeded', "The workspace's message quota for this month is exhausted.", {
      metadata: { type: 'invocation_calls', month: webhook.exhaustedMonth },
    });
  }
}

/**
 * Like {@link requireQuota}, but re-reads a cached webhook, because the quota may have been raised.
 * @throws ApiError QuotaExceeded
 */
export async function requireQuotaNow(webhook: PublicWebhook, nowMs: number): Promise<void> {
  if (isExhausted(webhook, nowMs)) requireQuota((await findCurrentWebhook(webhook.webhookId)) ?? webhook, nowMs);
}
