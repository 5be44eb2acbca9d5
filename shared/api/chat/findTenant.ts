/** Finds the tenant: the bot that the webhook in the URL belongs to. */
import type { ChatMiddleware } from './state.ts';
import { webhookOf } from './webhook.ts';

export const findTenant = (): ChatMiddleware => ({
  before: async ({ event }) => {
    const webhook = await webhookOf(event.pathParameters?.webhookId ?? '');
    const { botId, encryptionKey } = webhook;
    Object.assign(event.call, { webhook, botId, tenant: botId, pageKey: encryptionKey });
  },
});
