/** Operations of the webhook API. The integration authenticates the request. */
import * as z from 'zod/mini';
import type { GatewayResult, OfGroup, OperationBase } from '#shared/api/operation.ts';
import type { PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';

export interface WebhookRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** The webhook of all installations of an integration. */
export interface SharedWebhook {
  integration: Integration;
  definition: IntegrationDefinition;
}

export interface WebhookCall {
  /** Undefined for a shared webhook. */
  webhook: PublicWebhook | undefined;
  shared?: SharedWebhook | undefined;
  setCookie?: string | undefined;
  request: WebhookRequest;
  requestId: string;
  nowMs: number;
}

interface Declaration extends Omit<OperationBase<string, '/', undefined, undefined>, 'output' | 'payloadLimitBytes'> {
  method: 'ANY';
  access: { who: 'anyone' };
  callsEndpoints: true;
  sends?: readonly QueueName[];
  handle(call: WebhookCall): Promise<GatewayResult>;
}

export type WebhookOperation = Declaration & OfGroup<'webhook', 'webhook'> & { output: z.ZodMiniType };

export const WEBHOOK_PARTITIONS: TableAccess = { reads: ['webhooks', 'bots', 'integrations'] };

export const webhookOperation = <const Name extends string>(operation: Declaration & { name: Name }) => ({
  ...operation,
  api: 'webhook' as const,
  group: 'webhook' as const,
  payloadLimitBytes: REQUEST_LIMIT_BYTES,
  output: z.any(),
});

/** The bytes that fit Lambda's 6 MB in base64. */
const REQUEST_LIMIT_BYTES = 4.4 * 1024 * 1024;
