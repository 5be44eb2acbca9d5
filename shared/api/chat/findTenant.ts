import { pathParametersOf } from '#shared/api/pathParameters.ts';
import type { ChatMiddleware } from './chatState.ts';
import { webhookOf } from './webhookOf.ts';

export const findTenant = (): ChatMiddleware => ({
  before: async ({ event }) => {
    const webhook = await webhookOf(pathParametersOf(event).webhookId ?? '');
    const { botId, encryptionKey } = webhook;
    Object.assign(event.call, { webhook, botId, tenant: botId, pageKey: encryptionKey });
  },
});
