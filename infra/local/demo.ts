/** A demo tenant, so that the first request of a newcomer works. */
import { randomBytes, randomUUID } from 'node:crypto';
import { signUserKey } from '../../shared/auth/userKey.ts';
import { putWebhook, type Webhook } from '../../shared/table/webhooks.ts';
import { write } from '../../shared/table/write.ts';

/** What `local.json` says: all that a caller needs to know. */
export interface LocalFile {
  /** `{chat_base_url}/{webhookUrl}` */
  chatUrl: string;
  /** `{api_base_url}` */
  apiUrl: string;
  workspaceId: string;
  botId: string;
  integrationId: string;
  webhookId: string;
  encryptionKey: string;
}

export type Tenant = Omit<LocalFile, 'chatUrl' | 'apiUrl'>;

const newTenant = (): Tenant => ({
  workspaceId: `wkspace_${randomUUID().replaceAll('-', '').slice(0, 26)}`,
  botId: randomUUID(),
  integrationId: `intver_${randomUUID().replaceAll('-', '').slice(0, 26)}`,
  webhookId: randomUUID(),
  encryptionKey: randomBytes(24).toString('base64url'),
});

/** Installs the chat integration; twice is the same as once. */
export async function installDemo(tenant: Tenant = newTenant()): Promise<{ tenant: Tenant; userKey: string }> {
  const { botId, integrationId, webhookId, encryptionKey } = tenant;
  const webhook: Webhook = {
    webhookId,
    botId,
    integrationId,
    encryptionKey,
    isPersonalKey: false,
    payloadExtensions: false,
  };
  await write([putWebhook(webhook)]);
  return { tenant, userKey: signUserKey(webhook, 'demo-user') };
}
