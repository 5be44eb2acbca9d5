/** Webhooks: installations of integrations on a bot. The first path segment of a chat URL is the webhook id of one. */
import * as z from 'zod/mini';
import { monthOf } from '#shared/core/calendar.ts';
import { webhookKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { rememberWideLists } from '#shared/storage/dynamodb/listShards.ts';
import { type Item, readItem, readItemEventually } from '#shared/storage/dynamodb/query.ts';
import { openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { tryWrite, unconditional, type Write } from '#shared/storage/dynamodb/transaction.ts';

const Webhook = z.object({
  webhookId: z.string(),
  botId: z.string(),
  integrationId: z.string(),
  /** The bot's name for the integration. */
  integration: z.string(),
  /** Signs user keys (HS256). Sealed in the item, see `sealed.ts`. */
  encryptionKey: z.string(),
  /** The bot's owner supplied the encryption key and signs user keys outside Parley. */
  isPersonalKey: z.boolean(),
  /** `createUser` issues keys. */
  isSignUpOpen: z.boolean(),
  /** With a personal key or an admin secret: whoever signs up may choose their id. */
  areIdsOpen: z.optional(z.literal(true)),
  /** End users may come in: only through the chat integration. */
  isChat: z.boolean(),
  /** Accepts the newer client's `metadata` and `bloc`, see docs/compatibility.md#message-payloads. */
  payloadExtensions: z.boolean(),
  /** Chat users may upload no files. */
  takesFiles: z.optional(z.literal(true)),
  /** Of the configuration's `adminSecret`, see `api/chat/adminSecret.ts`. */
  adminSecretHash: z.optional(z.string()),
  /** The bot's: its lists are written wide from then on. */
  wideFromMs: z.optional(z.number()),
  /** The month (yyyy-mm) whose message quota the workspace has used up; see `messageQuota.ts`. */
  exhaustedMonth: z.optional(z.string()),
});
export type Webhook = z.infer<typeof Webhook>;
/** A webhook without its encryption key, as functions see it that must not open it. */
export type PublicWebhook = Omit<Webhook, 'encryptionKey'>;
export const parseWebhook = (item: Item): PublicWebhook => Webhook.parse(item);

const encryptionKeyPlace = (webhookId: string) => ({ owner: webhookId, field: 'encryptionKey' }) as const;

/** Cheap when it is there; that it is not is read consistently, since it may have been installed a moment ago. */
const findItem = async (webhookId: string): Promise<Item | undefined> =>
  (await readItemEventually(webhookKey(webhookId))) ?? (await readItem(webhookKey(webhookId)));

export async function findWebhook(webhookId: string): Promise<Webhook | undefined> {
  const item = await findItem(webhookId);
  if (!item) return undefined;
  const webhook = Webhook.parse(item);
  rememberWideLists(webhook.botId, webhook.wideFromMs);
  return { ...webhook, encryptionKey: openText(webhook.encryptionKey, encryptionKeyPlace(webhookId)) };
}

/** For those that sign no user keys. */
export async function findPublicWebhook(webhookId: string): Promise<PublicWebhook | undefined> {
  const item = await findItem(webhookId);
  return item && parseWebhook(item);
}

/** The webhook as it is now, for a decision that must not rest on one from memory. */
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

/** Tells the functions that read no bot but its webhook that its lists are wide. */
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

/** The workspace's message quota for the current month is used up. */
export const isExhausted = ({ exhaustedMonth }: PublicWebhook, nowMs: number): boolean =>
  exhaustedMonth !== undefined && exhaustedMonth === monthOf(nowMs);

/** Closes a webhook to writers for a month, or reopens it. Ignores a webhook that is gone. */
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
