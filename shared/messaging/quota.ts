/** Whether anything may still be said this month. */

import { monthOf } from '#shared/calendar.ts';
import type { Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import { ApiError } from '#shared/errors.ts';

/** @throws ApiError QuotaExceeded when the workspace's quota of messages is used up */
export function requireQuota({ exhaustedMonth }: Webhook, nowMs: number): void {
  if (exhaustedMonth !== undefined && exhaustedMonth === monthOf(nowMs)) {
    throw new ApiError('QuotaExceeded', "The workspace's quota of messages is used up for this month.", {
      metadata: { type: 'invocation_calls', month: exhaustedMonth },
    });
  }
}
