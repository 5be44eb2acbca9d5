/** The workspace's monthly quota of messages. */

import { ApiError } from '#shared/core/errors.ts';
import { findCurrentWebhook, isExhausted, type PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

/** @throws ApiError QuotaExceeded when the quota for the current month is used up */
export function requireQuota(webhook: PublicWebhook, nowMs: number): void {
  if (isExhausted(webhook, nowMs)) {
    throw new ApiError('QuotaExceeded', "The workspace's message quota for this month is used up.", {
      metadata: { type: 'invocation_calls', month: webhook.exhaustedMonth },
    });
  }
}

/**
 * {@link requireQuota} for a webhook from memory: the quota may have been raised since.
 * @throws ApiError QuotaExceeded when the quota for the current month is used up
 */
export async function requireQuotaNow(webhook: PublicWebhook, nowMs: number): Promise<void> {
  if (isExhausted(webhook, nowMs)) requireQuota((await findCurrentWebhook(webhook.webhookId)) ?? webhook, nowMs);
}
