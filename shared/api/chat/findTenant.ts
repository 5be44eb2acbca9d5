/** The webhook in the URL says which bot's data the call is about. */
import type { ChatMiddleware } from './state.ts';
import { webhookOf } from './webhook.ts';

export const findTenant = (): ChatMiddleware => ({
  before: async ({ event }) => {
    const webhook = await webhookOf(event.pathParameters?.webhookId ?? '');
    const { botId, encryptionKey } = webhook;
    Object.assign(event.call, { webhook, botId, tenant: botId, pageKey: encryptionKey });
  },
});
