/** Tenants that are written straight into the table. */
import { randomBytes, randomUUID } from 'node:crypto';
import { putWebhook, type Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import { write } from '#shared/dynamodb/transaction.ts';

/** Creates an installation of the chat integration on a bot that has an id and no record. */
export async function newWebhook(settings: Partial<Webhook> = {}): Promise<Webhook> {
  const webhook: Webhook = {
    webhookId: randomUUID(),
    botId: randomUUID(),
    integrationId: `intver_${randomBytes(11).toString('hex')}`,
    integration: 'chat',
    encryptionKey: randomBytes(24).toString('base64url'),
    isPersonalKey: false,
    payloadExtensions: false,
    isChat: true,
    ...settings,
  };
  await write([putWebhook(webhook)]);
  return webhook;
}
