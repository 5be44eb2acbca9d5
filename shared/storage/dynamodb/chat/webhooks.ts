import * as z from 'zod/mini';
import { monthOf } from '#shared/core/calendar.ts';
import { type Item, readItem, readItemEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { webhookKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { rememberWideLists } from '#shared/storage/dynamodb/partitioning/listShards.ts';
import { openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';

const Webhook = z.object({
  webhookId: z.string(),
  botId: z.string(),
  integrationId: z.string(),
  integration: z.string(),
  encryptionKey: z.string(),
  isPersonalKey: z.boolean(),
  isSignUpOpen: z.boolean(),
  /** Lets new users choose their id, with a personal key or admin secret. */
  areIdsOpen: z.optional(z.literal(true)),
  isChat: z.boolean(),
  /** Accepts the newer client's `metadata` and `bloc` (docs/api/chat.md#message-payloads). */
  payloadExtensions: z.boolean(),
  takesFiles: z.optional(z.literal(true)),
  adminSecretHash: z.optional(z.string()),
  /** Origins of pages that may call the chat API. Undefined permits all. */
  allowedOrigins: z.optional(z.array(z.string())),
  wideFromMs: z.optional(z.number()),
  exhaustedMonth: z.optional(z.string()),
});
export type Webhook = z.infer<typeof Webhook>;
/** A webhook for functions that must not open its encryption key. */
export type PublicWebhook = Omit<Webhook, 'encryptionKey'>;
export const parseWebhook = (item: Item): PublicWebhook => Webhook.parse(item);

const encryptionKeyPlace = (webhookId: string) => ({ owner: webhookId, field: 'encryptionKey' }) as const;

/** Reads eventually consistently, and again consistently if there is no item, because it may be new. */
const findItem = async (webhookId: string): Promise<Item | undefined> =>
  (await readItemEventually(webhookKey(webhookId))) ?? (await readItem(webhookKey(webhookId)));

/** @param isCurrent reads consistently, for decisions that require the current state */
export async function findWebhook(
  webhookId: string,
  { isCurrent = false }: { isCurrent?: boolean } = {},
): Promise<Webhook | undefined> {
  const item = isCurrent ? await readItem(webhookKey(webhookId)) : await findItem(webhookId);
  if (!item) return undefined;
  const webhook = Webhook.parse(item);
  rememberWideLists(webhook.botId, webhook.wideFromMs);
  return { ...webhook, encryptionKey: openText(webhook.encryptionKey, encryptionKeyPlace(webhookId)) };
}

export async function findPublicWebhook(webhookId: string): Promise<PublicWebhook | undefined> {
  const item = await findItem(webhookId);
  return item && parseWebhook(item);
}

/** Bypasses caches, for decisions that require the current state. */
export async function findCurrentWebhook(webhookId: string): Promise<PublicWebhook | undefined> {
  const item = await readItem(webhookKey(webhookId));
  return item && parseWebhook(item);
}

export const putWebhook = (webhook: Webhook): Write => ({
  put: {
    Item: {
      ...webhookKey(webhook.webhookId),
      ...webhook,
      encryptionKey: sealText(webhook.encryptionKey, encryptionKeyPlace(webhook.webhookId)),
    },
  },
  onRefused: unconditional,
});

export const removeWebhook = (webhookId: string): Write => ({
  remove: { Key: webhookKey(webhookId) },
  onRefused: unconditional,
});

export async function widenWebhook(webhookId: string, wideFromMs: number): Promise<void> {
  await tryWrite({
    update: {
      Key: webhookKey(webhookId),
      UpdateExpression: 'SET wideFromMs = :from',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':from': wideFromMs },
    },
  });
}

export const isExhausted = ({ exhaustedMonth }: PublicWebhook, nowMs: number): boolean =>
  exhaustedMonth !== undefined && exhaustedMonth === monthOf(nowMs);

export async function setExhausted(webhookId: string, month: string | undefined): Promise<void> {
  await tryWrite({
    update: {
      Key: webhookKey(webhookId),
      UpdateExpression: month === undefined ? 'REMOVE exhaustedMonth' : 'SET exhaustedMonth = :month',
      ConditionExpression: 'attribute_exists(pk)',
      ...(month === undefined ? {} : { ExpressionAttributeValues: { ':month': month } }),
    },
  });
}
