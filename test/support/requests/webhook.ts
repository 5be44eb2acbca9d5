/** A request for each operation of the webhook group. An operation without one does not compile. */
import type * as webhookOperations from '#functions/webhook/index.ts';

export type WebhookOperationName = keyof typeof webhookOperations;

/** The path is relative to the webhook's URL. */
export const WEBHOOK_REQUESTS: Record<WebhookOperationName, { method: string; path: string; body?: unknown }> = {
  receiveWebhook: { method: 'POST', path: '/orders', body: { a: 1 } },
};
