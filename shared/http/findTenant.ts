/** The webhook in the URL says which bot's data the call is about. */
import { webhookOf } from '../auth/webhook.ts';
import type { Middleware } from './startCall.ts';

export const findTenant = (): Middleware => ({
  before: async ({ event }) => {
    const webhook = await webhookOf(event.pathParameters?.webhookId ?? '');
    Object.assign(event.call, { webhook, botId: webhook.botId });
  },
});
