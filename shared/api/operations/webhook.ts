/**
 * Operations of the webhook API: the caller is whoever an integration gave its webhook's address to. It shows no
 * credentials to the platform; the integration checks what it was sent.
 */
import * as z from 'zod/mini';
import type { GatewayAnswer, OfGroup, OperationBase } from '#shared/api/operation.ts';
import type { PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';
import type { QueueName } from '#shared/storage/queues/settings.ts';

/** A request as it came, whole. */
export interface WebhookRequest {
  method: string;
  /** After the webhook's id: `/`, or `/path` as the caller encoded it. */
  path: string;
  /** Encoded, without `?`. */
  query: string;
  /** By name in lower case; the values of a repeated one are joined. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface WebhookCall {
  webhook: PublicWebhook;
  /** The cookie of an OAuth round trip that has just arrived. */
  setCookie?: string | undefined;
  request: WebhookRequest;
  requestId: string;
  nowMs: number;
}

interface Declaration extends Omit<OperationBase<string, '/', undefined, undefined>, 'output' | 'payloadLimitBytes'> {
  /** Every method, at every path below the webhook's address. */
  method: 'ANY';
  /** Anyone who knows the webhook's address. */
  access: { who: 'anyone' };
  callsEndpoints: true;
  /** The queues it sends jobs to. */
  sends?: readonly QueueName[];
  handle(call: WebhookCall): Promise<GatewayAnswer>;
}

export type WebhookOperation = Declaration & OfGroup<'webhook', 'webhook'> & { output: z.ZodMiniType };

/** Table access shared by all operations of the group. */
export const WEBHOOK_PARTITIONS: TableAccess = { reads: ['webhooks', 'bots', 'integrations'] };

/** Declares an operation of the group webhook. */
export const webhookOperation = <const Name extends string>(operation: Declaration & { name: Name }) => ({
  ...operation,
  api: 'webhook' as const,
  group: 'webhook' as const,
  payloadLimitBytes: REQUEST_LIMIT_BYTES,
  // The integration's answer, whatever it is.
  output: z.any(),
});

/** What fits Lambda's 6 MB in base 64. */
const REQUEST_LIMIT_BYTES = 4.4 * 1024 * 1024;
