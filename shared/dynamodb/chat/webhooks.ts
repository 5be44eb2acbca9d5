/** Webhooks: an installation of the chat integration on a bot, found by the first segment of a chat URL. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents } from '#shared/dynamodb/client.ts';
import { webhookKey } from '#shared/dynamodb/keys/chat.ts';
import type { Item } from '#shared/dynamodb/query.ts';
import { unconditional, type Write } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';

const Webhook = z.object({
  webhookId: z.string(),
  botId: z.string(),
  integrationId: z.string(),
  /** What the bot calls the integration. */
  integration: z.string(),
  /** Signs the users' keys (HS256). */
  encryptionKey: z.string(),
  /** The key is the operator's own: users come with keys that he signed, and `createUser` is closed. */
  isPersonalKey: z.boolean(),
  /** Also takes the newer client's `metadata` and `bloc` (FACTS, decisions). */
  payloadExtensions: z.boolean(),
  /** The month in which the workspace's quota of messages is used up; see `messageQuota.ts`. */
  exhaustedMonth: z.optional(z.string()),
});
export type Webhook = z.infer<typeof Webhook>;
export const parseWebhook = (item: Item): Webhook => Webhook.parse(item);

export async function findWebhook(webhookId: string): Promise<Webhook | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: webhookKey(webhookId) }),
  );
  return Item && Webhook.parse(Item);
}

export const putWebhook = (webhook: Webhook): Write => ({
  put: { Item: { ...webhookKey(webhook.webhookId), ...webhook } },
  onRefused: unconditional,
});

export const removeWebhook = (webhookId: string): Write => ({
  remove: { Key: webhookKey(webhookId) },
  onRefused: unconditional,
});

/** Says in which month nobody may write through a webhook any more, or that everybody may. Nothing if it is gone. */
export async function setExhausted(webhookId: string, month: string | undefined): Promise<void> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: webhookKey(webhookId),
        UpdateExpression: month === undefined ? 'REMOVE exhaustedMonth' : 'SET exhaustedMonth = :month',
        ConditionExpression: 'attribute_exists(pk)',
        ...(month === undefined ? {} : { ExpressionAttributeValues: { ':month': month } }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
